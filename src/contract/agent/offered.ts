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
  /** `boolean`: its values are `true` and `false`, and it is told so. */
  type: z.literal("boolean").optional(),
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
});
export type Offered = z.infer<typeof Offered>;
