import { z } from "zod";

/** What the answer to opening a session offers to choose from. */
export interface Offer {
  /** The ids of its models, as older agents list them. */
  models: readonly string[] | null;
  /** Whether it lists modes. */
  modes: boolean;
  options: readonly ConfigOption[];
}

export interface ConfigOption {
  id: string;
  /** `model`, `mode` and others. */
  category: string;
  values: readonly string[];
}

export const nothingOffered: Offer = {
  models: null,
  modes: false,
  options: [],
};

export const offerOf = (result: unknown): Offer => {
  const told = Told.safeParse(result).data;
  if (told === undefined) return nothingOffered;
  return {
    models: told.models?.availableModels.map(({ modelId }) => modelId) ?? null,
    modes: told.modes != null,
    options: (told.configOptions ?? []).flatMap((option) =>
      option === null
        ? []
        : [
            {
              id: option.id,
              category: option.category ?? option.id,
              values: option.options,
            },
          ],
    ),
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

const Option = z.object({
  id: z.string(),
  category: z.string().nullish().catch(null),
  options: Values,
});

const Told = z.object({
  models: z
    .object({ availableModels: z.array(z.object({ modelId: z.string() })) })
    .nullish()
    .catch(null),
  modes: z.object({}).nullish().catch(null),
  configOptions: z.array(Option.nullable().catch(null)).nullish().catch(null),
});
