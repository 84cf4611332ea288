import * as z from "zod";

/** What an agent offers to choose from, and what it has chosen. */
export interface Offer {
  /** Models, as older agents list them. */
  models: Choice | null;
  modes: Choice | null;
  options: readonly ConfigOption[];
}

export interface Choice {
  values: readonly string[];
  /** The one in force, where the agent tells. */
  current: string | null;
}

export interface ConfigOption extends Choice {
  id: string;
  /** `model`, `mode` and others. */
  category: string;
}

export const nothingOffered: Offer = { models: null, modes: null, options: [] };

export const optionFor = (
  { options }: Offer,
  category: "model" | "mode",
): ConfigOption | undefined =>
  options.find((option) => option.category === category);

export const modesIn = (offer: Offer): Choice | null =>
  offer.modes ?? optionFor(offer, "mode") ?? null;

export const modelsIn = (offer: Offer): Choice | null =>
  optionFor(offer, "model") ?? offer.models;

/** What the answer to opening a session offers. */
export const offerOf = (result: unknown): Offer => {
  const offered = Offered.safeParse(result).data;
  if (offered === undefined) return nothingOffered;
  return {
    models: offered.models ?? null,
    modes: offered.modes ?? null,
    options: (offered.configOptions ?? []).filter((option) => option !== null),
  };
};

const Value = z.object({ value: z.string() });
/** Values stand by themselves or in groups. */
const Values = z
  .array(
    z.union([
      Value.transform(({ value }) => [value]),
      z
        .object({ options: z.array(Value) })
        .transform(({ options }) => options.map(({ value }) => value)),
    ]),
  )
  .transform((values) => values.flat())
  .catch([]);

const current = z.string().nullish().catch(null);

const Option = z
  .object({
    id: z.string(),
    category: z.string().nullish().catch(null),
    currentValue: current,
    options: Values,
  })
  .transform(({ id, category, currentValue, options }): ConfigOption => ({
    id,
    category: category ?? id,
    values: options,
    current: currentValue ?? null,
  }));

const Models = z
  .object({
    availableModels: z.array(z.object({ modelId: z.string() })),
    currentModelId: current,
  })
  .transform(({ availableModels, currentModelId }): Choice => ({
    values: availableModels.map(({ modelId }) => modelId),
    current: currentModelId ?? null,
  }));

const Modes = z
  .object({
    availableModes: z.array(z.object({ id: z.string() })).catch([]),
    currentModeId: current,
  })
  .transform(({ availableModes, currentModeId }): Choice => ({
    values: availableModes.map(({ id }) => id),
    current: currentModeId ?? null,
  }));

const Offered = z.object({
  models: Models.nullish().catch(null),
  modes: Modes.nullish().catch(null),
  configOptions: z.array(Option.nullable().catch(null)).nullish().catch(null),
});
