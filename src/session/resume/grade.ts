import type { Abilities } from "../../contract/agent/agent.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import { turnsKnown } from "../evolve/rewind.ts";
import type { State } from "../state/state.ts";

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
  // A session that was to be given its history and never was holds none, however well it comes back.
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

/** The history that an agent was given did not hold everything: that belongs to what the resume lost, said once. */
export const withLeftOut = (state: State, leftOut: number): State => {
  const { resume } = state.agent;
  if (resume === null || leftOut === 0 || resume.left_out === leftOut)
    return state;
  const words = leftOutWords(leftOut);
  const lost = resume.lost === null ? words : `${resume.lost} ${words}`;
  return {
    ...state,
    agent: { ...state.agent, resume: { ...resume, lost, left_out: leftOut } },
  };
};

export const leftOutWords = (leftOut: number): string =>
  leftOut === 1
    ? "The oldest message did not fit into the history the agent was given."
    : `The oldest ${leftOut} messages did not fit into the history the agent was given.`;

const countTurns = (turns: number): string =>
  turns === 1 ? "1 turn" : `${turns} turns`;
