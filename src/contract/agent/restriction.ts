import * as z from "zod";

/** How something is held: the agent keeps to it itself, our answers to its questions do, or it is only told in words. */
export const HeldBy = z.enum(["agent", "answers", "words"]);
export type HeldBy = z.infer<typeof HeldBy>;

/** What restricts an agent and cannot be applied to it. */
export const Restriction = z.object({
  /** `configuration` is the person's own, of the agent. */
  what: z.enum([
    "mode",
    "model",
    "settings",
    "tools",
    "permissions",
    "configuration",
    /** One that the agent offers: `id=value`. */
    "option",
  ]),
  /** The value, or the names in it. */
  asked: z.string(),
  reason: z.enum([
    /** It is not among the values that the agent offers. */
    "not_offered",
    "refused",
    /** The agent said yes, and another value is in force. */
    "not_confirmed",
    /** The agent has no way to take it. */
    "not_supported",
    /** The agent does not ask before it acts. */
    "not_asked",
    /** It was chosen for another agent. */
    "of_another_agent",
  ]),
  /** The values that the agent offers, where it tells. */
  valid: z.array(z.string()),
  /** The agent's own words. */
  message: z.string().nullable(),
});
export type Restriction = z.infer<typeof Restriction>;

/** What is in force in an agent that runs. Null: nothing was asked for, and the agent does not tell. */
export const InForce = z.object({
  mode: z.object({ value: z.string(), held: HeldBy }).nullable(),
  model: z.object({ value: z.string(), held: HeldBy }).nullable(),
  /** The definition's. */
  settings: z.object({ held: HeldBy }).nullable(),
  tools: z.object({ held: HeldBy }).nullable(),
});
export type InForce = z.infer<typeof InForce>;

/** The same, with all values. */
export const Applied = InForce.extend({
  /** The names of the settings. */
  settings: z.object({ value: z.array(z.string()), held: HeldBy }).nullable(),
  tools: z
    .object({
      value: z.object({
        /** Null: all that it has. */
        allowed: z.array(z.string()).nullable(),
        disallowed: z.array(z.string()),
      }),
      held: HeldBy,
    })
    .nullable(),
});
export type Applied = z.infer<typeof Applied>;

/** What happened, in a sentence or two. What to do about it is for whoever shows it. */
export const explainRestriction = (restriction: Restriction): string => {
  const { valid } = restriction;
  const offers = valid.length === 0 ? "" : ` It has: ${valid.join(", ")}.`;
  return `${reasonOf(restriction)}${offers}`;
};

const reasonOf = (restriction: Restriction): string =>
  sentences[restriction.reason](
    `the ${nouns[restriction.what]} ${restriction.asked}`,
    restriction,
  );

const sentences: Record<
  Restriction["reason"],
  (name: string, restriction: Restriction) => string
> = {
  not_offered: (name) => `The agent does not have ${name}.`,
  refused: (name, { message }) =>
    `The agent refused ${name}${message === null ? "." : `: ${message}`}`,
  not_confirmed: (name) => `The agent did not take ${name}.`,
  not_supported: (name) => `The agent has no way to take ${name}.`,
  not_asked: (name, { what }) =>
    what === "tools"
      ? `The agent does not keep to ${name} by itself, and does not ask before every tool runs.`
      : `The agent asks for nothing in its mode, so ${name} cannot be held.`,
  of_another_agent: (name) => `Another agent does not know ${name}.`,
};

const nouns: Record<Restriction["what"], string> = {
  mode: "mode",
  model: "model",
  settings: "settings",
  tools: "limits of its tools:",
  permissions: "permission policy",
  option: "option",
  configuration: "mode that your own configuration stands for:",
};

/** The mode that an update of the agent names, when it has changed its mode by itself. */
export const modeIn = (update: unknown): string | null =>
  ModeUpdate.safeParse(update).data?.currentModeId ?? null;

const ModeUpdate = z.object({
  sessionUpdate: z.literal("current_mode_update"),
  currentModeId: z.string().max(1000),
});
