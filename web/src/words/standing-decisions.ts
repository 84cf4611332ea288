/** The rows of `standing` in which something waits for a quota, a budget or somebody's word. */
import {
  describeEnding,
  type Ending,
} from "../../../src/contract/session/ending.ts";
import type { InterruptionCode } from "../../../src/contract/session/interruption.ts";
import type { UnresolvedPrompt } from "../../../src/contract/session/prompt.ts";
import { dueTime } from "./age.ts";
import { counted } from "./counts.ts";
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
  const until =
    session.quota.goes_on_at ??
    session.quota.prompts_wait_until ??
    session.quota.used_up.find(({ agent }) => agent === session.agent)?.until ??
    null;
  const cut = session.unresolved_prompts.at(-1);
  if (until === null) return null;
  const goesOn = (cut?.goes_on ?? null) !== null;
  const waiting = session.queued_prompts.length;
  if (cut === undefined && waiting === 0) return null;
  const turn = cut?.turn ?? null;
  return row("quota", facts, {
    title: `Quota used up until ${dueTime(until, now)}.`,
    text:
      cut === undefined
        ? `${counted(waiting, "prompt begins by itself", "prompts begin by themselves")} then.`
        : `${turn === null ? "The turn" : `Turn ${turn}`} ${goesOn ? "goes on by itself then" : "waits for your word"}.`,
    buttons: [
      button(
        "Go on now",
        cut === undefined || goesOn
          ? { kind: "resume_now" }
          : { kind: "resolve", promptId: cut.id, action: "continue" },
      ),
      ...(cut === undefined
        ? []
        : [
            button("Drop it", {
              kind: "resolve",
              promptId: cut.id,
              action: "drop",
            }),
          ]),
    ],
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
    title: `${prompt.turn === null ? "The turn" : `Turn ${prompt.turn}`} was cut off: ${cause(prompt, facts)}.`,
    text: "What it did is kept. Nothing is sent again by itself.",
    buttons: decisions(prompt, true),
  });

/** How its agent ended, or why it was stopped where nobody says how. */
const cause = (prompt: UnresolvedPrompt, { line }: Facts): string => {
  const ending = prompt.why?.ending ?? endingOf(prompt, line);
  return ending === null
    ? causes[prompt.why?.code ?? "agent_died"]
    : `the agent ${describeEnding(ending)}`;
};

const causes: Readonly<Record<InterruptionCode, string>> = {
  paused: "the session was paused",
  agent_died: "the agent is gone",
  agent_stopped: "the agent was stopped",
  session_ended: "the session ended",
  quota: "the quota was used up",
  moved: "the session was moved to another home",
};

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
