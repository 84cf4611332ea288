/** What an ACP agent says of what it offers, in our words. Lenient: what does not fit is left out, and the rest is kept. */
import * as z from "zod";
import {
  type Choices,
  nothingOffered,
  type Offered,
  type OfferedOption,
  withCurrent,
  withOptions,
} from "./offered.ts";

/** In an answer that opens a session or changes an option. */
export const offeredIn = (answer: unknown): Offered => {
  const told = Answer.safeParse(answer).data;
  if (told === undefined) return nothingOffered;
  return {
    modes: told.modes ?? null,
    options: optionsOf(told.configOptions),
    models: told.models ?? null,
  };
};

/** After an update of the agent, or the same object when the update says nothing of it. */
export const afterUpdate = (offered: Offered, update: unknown): Offered => {
  const told = Update.safeParse(update).data;
  switch (told?.sessionUpdate) {
    case "current_mode_update":
      return withCurrent(offered, "mode", told.currentModeId);
    case "config_option_update":
      return withOptions(offered, told.configOptions);
    case undefined:
      return offered;
  }
};

/** In characters of JSON. It is part of each snapshot of a session's state, so its size is limited. */
const MAX_OFFERED = 64 * 1024;

/** As much of it as may be kept: descriptions go first, then values. What is in force stays. */
export const bounded = (offered: Offered): Offered => {
  if (fits(offered)) return offered;
  for (const limits of SHORTER) {
    const shorter = shortened(offered, limits);
    if (fits(shorter)) return shorter;
  }
  return { ...nothingOffered, shortened: true };
};

const fits = (offered: Offered): boolean =>
  JSON.stringify(offered).length <= MAX_OFFERED;

interface Limits {
  options: number;
  values: number;
}

const SHORTER: readonly Limits[] = [
  { options: 50, values: 500 },
  { options: 50, values: 100 },
  { options: 20, values: 20 },
];

const shortened = (
  { modes, options, models }: Offered,
  limits: Limits,
): Offered => ({
  modes: shortChoices(modes, limits),
  options: options.slice(0, limits.options).map((option) => ({
    ...option,
    description: null,
    values: firstOf(
      option.values,
      limits,
      ({ value }) => value === option.current,
    ),
  })),
  models: shortChoices(models, limits),
  shortened: true,
});

const shortChoices = (
  choices: Choices | null,
  limits: Limits,
): Choices | null =>
  choices && {
    ...choices,
    available: firstOf(
      choices.available,
      limits,
      ({ id }) => id === choices.current,
    ),
  };

const firstOf = <T extends { description: string | null }>(
  all: readonly T[],
  { values }: Limits,
  isCurrent: (each: T) => boolean,
): T[] =>
  all
    .filter((each, index) => index < values || isCurrent(each))
    .map((each) => ({ ...each, description: null }));

/** A longer one could not be asked for. */
const MAX_VALUE = 1000;
const MAX_NAME = 200;
const MAX_DESCRIPTION = 500;

const value = z.string().max(MAX_VALUE);
const current = value.nullish().catch(null);
const text = (max: number) =>
  z
    .string()
    .nullish()
    .catch(null)
    .transform((words) => words?.slice(0, max) ?? null);
const shown = {
  name: text(MAX_NAME),
  description: text(MAX_DESCRIPTION),
};

/** Those of a list that fit. */
const each = <T extends z.ZodType>(item: T) =>
  z
    .array(item.nullable().catch(null))
    .transform((items) => items.filter((it) => it !== null));

const Value = z
  .object({ value, ...shown })
  .transform(({ value, name, description }) => ({
    value,
    name: name ?? value.slice(0, MAX_NAME),
    description,
  }));

/** Values stand by themselves or in groups. */
const Values = each(
  z.union([
    Value.transform((one) => [one]),
    z.object({ options: each(Value) }).transform(({ options }) => options),
  ]),
)
  .transform((values) => values.flat())
  .catch([]);

const Option = z
  .object({
    id: z.string().min(1).max(MAX_NAME),
    ...shown,
    category: text(MAX_NAME),
    currentValue: z.union([z.boolean(), value]).nullish().catch(null),
    options: Values.optional(),
  })
  .transform(
    ({ id, name, currentValue, options, ...others }): OfferedOption => ({
      id,
      name: name ?? id,
      ...others,
      ...(typeof currentValue === "boolean" && { type: "boolean" }),
      current: String(currentValue ?? ""),
      values: typeof currentValue === "boolean" ? YES_OR_NO : (options ?? []),
    }),
  );

const YES_OR_NO: OfferedOption["values"] = [
  { value: "true", name: "On", description: null },
  { value: "false", name: "Off", description: null },
];

const Options = each(Option).nullish().catch(null);

const optionsOf = (options: z.infer<typeof Options>): Offered["options"] =>
  options ?? [];

const Models = z
  .object({
    availableModels: each(z.object({ modelId: value, ...shown })),
    currentModelId: current,
  })
  .transform(({ availableModels, currentModelId }): Choices => ({
    current: currentModelId ?? null,
    available: availableModels.map(({ modelId, name, description }) => ({
      id: modelId,
      name: name ?? modelId.slice(0, MAX_NAME),
      description,
    })),
  }));

const Modes = z
  .object({
    availableModes: each(z.object({ id: value, ...shown })).catch([]),
    currentModeId: current,
  })
  .transform(({ availableModes, currentModeId }): Choices => ({
    current: currentModeId ?? null,
    available: availableModes.map(({ id, name, description }) => ({
      id,
      name: name ?? id.slice(0, MAX_NAME),
      description,
    })),
  }));

const Answer = z.object({
  models: Models.nullish().catch(null),
  modes: Modes.nullish().catch(null),
  configOptions: Options,
});

const Update = z.discriminatedUnion("sessionUpdate", [
  z.object({
    sessionUpdate: z.literal("current_mode_update"),
    currentModeId: value,
  }),
  z.object({
    sessionUpdate: z.literal("config_option_update"),
    configOptions: each(Option),
  }),
]);
