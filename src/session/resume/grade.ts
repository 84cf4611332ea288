import type { Abilities } from "../../contract/agent/agent.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import type { State } from "../state/state.ts";
import { turnsKnown } from "../state/turns.ts";

/** What a resume achieved, once the agent said how its session came about. */
export const gradeResume = (
  state: State,
  ready: {
    workspace?: Resume["workspace"] | undefined;
    opened: "new" | "resumed" | "loaded";
    verified: boolean;
    abilities: Abilities;
    forgotten?: number | undefined;
    failed: { reason: string; message: string } | null;
  },
  took_ms: number,
): Resume => {
  const path = state.execution?.path ?? "none";
  const base = { path, workspace: ready.workspace ?? null, took_ms };
  const { inject: isInjected } = state.prompts.before_next;
  // A session whose history is still to be injected has none, however well it comes back.
  if (ready.opened !== "new" && ready.verified && !isInjected)
    return {
      ...base,
      strategy: "native",
      grade: "native",
      verified: true,
      lost: forgottenWords(ready.forgotten ?? 0),
    };
  const why = ready.failed === null ? "" : ` (${ready.failed.message})`;
  const turns = turnsKnown(state.turns);
  const nothingToLose = turns === 0;
  if (ready.abilities.injection)
    return {
      ...base,
      strategy: "injected",
      grade: "injected",
      verified: false,
      lost: nothingToLose
        ? null
        : `The agent's own memory of ${countTurns(turns)} is lost${why}; it is given the history as text with the next prompt.`,
    };
  return {
    ...base,
    strategy: "fresh",
    grade: "fresh",
    verified: false,
    lost: nothingToLose
      ? null
      : `The conversation of ${countTurns(turns)} is lost${why}: the agent starts without any memory of it.`,
  };
};

/** An agent that is killed in a turn may not have written down what it was asked. */
const forgottenWords = (turns: number): string | null => {
  if (turns === 0) return null;
  return turns === 1
    ? "The agent's own session does not hold the turn that was cut off; it is told with the next prompt what it was asked."
    : `The agent's own session does not hold ${turns} turns that were cut off; it is told with the next prompt what it was asked.`;
};

const countTurns = (turns: number): string =>
  turns === 1 ? "1 turn" : `${turns} turns`;
