/** The rows of `standing` in which something waits for a quota, a budget or somebody's word. */
import type { Ending } from "../../../src/contract/session/ending.ts";
import type { UnresolvedPrompt } from "../../../src/contract/session/prompt.ts";
import { counted } from "./counts.ts";
import { cutWords } from "./cut-words.ts";
import { quotaButtons, quotaWait } from "./quota-words.ts";
import { sentence } from "./sentence.ts";
import { button, row } from "./standing-parts.ts";
import type {
  Standing,
  StandingButton,
  StandingFacts,
} from "./standing-row.ts";

type Facts = StandingFacts;

/** Null where no quota keeps anything waiting. */
export const quota = (facts: Facts): Standing | null => {
  const { session, now } = facts;
  const wait = quotaWait(session, now);
  if (wait === null) return null;
  return row("quota", facts, {
    title: `${wait.title}.`,
    text: `${wait.what}.`,
    buttons: quotaButtons(session),
  });
};

const decisions = (
  { id: promptId }: UnresolvedPrompt,
  primary: boolean,
): StandingButton[] => [
  button(
    "Continue",
    { kind: "resolve", promptId, action: "continue" },
    primary,
  ),
  button("Resend", { kind: "resolve", promptId, action: "resend" }),
  button("Drop", { kind: "resolve", promptId, action: "drop" }),
];

export const interrupted = (prompt: UnresolvedPrompt, facts: Facts): Standing =>
  row("interrupted", facts, {
    tone: "amber",
    title: `${prompt.turn === null ? "The turn" : `Turn ${prompt.turn}`} was cut off: ${cutWords(prompt, endingOf(prompt, facts.line))}.`,
    text: "What it did is kept. Nothing is sent again by itself.",
    buttons: decisions(prompt, true),
  });

const endingOf = (
  { turn }: UnresolvedPrompt,
  line: Facts["line"],
): Ending | null => {
  const mark = line.findLast(
    (each) => each.kind === "break" && each.turn === turn,
  );
  return mark?.kind === "break" ? mark.ending : null;
};

export const uncertain = (prompt: UnresolvedPrompt, facts: Facts): Standing =>
  row("uncertain", facts, {
    tone: "amber",
    title: "Nobody knows whether the agent took this prompt.",
    quote: prompt.text ?? null,
    text: prompt.why === undefined ? null : sentence(prompt.why.reason),
    buttons: decisions(prompt, false),
  });

export const budget = (facts: Facts): Standing =>
  row("budget", facts, {
    tone: "amber",
    title: "The budget is used up.",
    text: `${counted(facts.session.queued_prompts.length, "prompt waits", "prompts wait")} until it is raised.`,
    box: { text: `Write to ${facts.agentName}`, send: "Queue" },
  });
