import * as z from "zod";

/** One of several values, for people to choose from. */
const choice = {
  name: z.string(),
  description: z.string().nullable(),
};

const Choices = z.object({
  /** The one in force, where the agent tells. */
  current: z.string().nullable(),
  available: z.array(z.object({ id: z.string(), ...choice })),
});
export type Choices = z.infer<typeof Choices>;

export const OfferedOption = z.object({
  id: z.string(),
  ...choice,
  /** `model`, `mode`, `thought_level` and others. */
  category: z.string().nullable(),
  /** `boolean`: its values are `true` and `false`, and the agent is told so. */
  type: z.literal("boolean").optional(),
  /** Empty where the agent does not tell. */
  current: z.string(),
  values: z.array(z.object({ value: z.string(), ...choice })),
});
export type OfferedOption = z.infer<typeof OfferedOption>;

/** What an agent offers to choose from, and what is chosen. */
export const Offered = z.object({
  modes: Choices.nullable(),
  options: z.array(OfferedOption),
  /** Models in the list of their own that older agents have, besides options. */
  models: Choices.nullable().default(null),
  /** It is very long, and some of it is left out. */
  shortened: z.literal(true).optional(),
});
export type Offered = z.infer<typeof Offered>;

export const nothingOffered: Offered = {
  modes: null,
  options: [],
  models: null,
};

/** Some agents name an option by its id alone. */
export const categoryOf = ({ id, category }: OfferedOption): string =>
  category ?? id;

export const optionFor = (
  { options }: Offered,
  category: "model" | "mode",
): OfferedOption | undefined =>
  options.find((option) => categoryOf(option) === category);

/** Values, and the one in force where that is told. */
export interface Choice {
  values: readonly string[];
  current: string | null;
}

export const modesIn = (offered: Offered): Choice | null =>
  listOf(offered.modes) ?? choiceOf(optionFor(offered, "mode"));

export const modelsIn = (offered: Offered): Choice | null =>
  choiceOf(optionFor(offered, "model")) ?? listOf(offered.models);

const listOf = (choices: Choices | null): Choice | null =>
  choices && {
    values: choices.available.map(({ id }) => id),
    current: choices.current,
  };

export const choiceOf = (option: OfferedOption | undefined): Choice | null =>
  option === undefined
    ? null
    : {
        values: option.values.map(({ value }) => value),
        current: option.current === "" ? null : option.current,
      };

/** With this mode or model in force, wherever the agent lists them. */
export const withCurrent = (
  offered: Offered,
  what: "mode" | "model",
  value: string,
): Offered => {
  const list = what === "mode" ? "modes" : "models";
  const { [list]: choices } = offered;
  const { id } = optionFor(offered, what) ?? {};
  return withOption(
    { ...offered, [list]: choices && { ...choices, current: value } },
    id,
    value,
  );
};

export const withOption = (
  offered: Offered,
  id: string | undefined,
  value: string,
): Offered => ({
  ...offered,
  options: offered.options.map((option) =>
    option.id === id ? { ...option, current: value } : option,
  ),
});

/** With all its options told anew: a list of its modes that stands beside them follows. */
export const withOptions = (
  offered: Offered,
  options: OfferedOption[],
): Offered => {
  const told = { ...offered, options };
  const mode = choiceOf(optionFor(told, "mode"))?.current ?? null;
  return mode === null || told.modes === null
    ? told
    : { ...told, modes: { ...told.modes, current: mode } };
};
