import type { Abilities } from "../contract/agent.ts";
import type { Resume } from "../contract/resume.ts";
import type { State } from "./state.ts";

/** What a resume achieved, once the agent said how its session came about. */
export const gradeResume = (
  state: State,
  ready: {
    opened: "new" | "resumed" | "loaded";
    verified: boolean;
    abilities: Abilities;
    failed: { reason: string; message: string } | null;
  },
  took_ms: number,
): Resume => {
  const path = state.execution?.path ?? "none";
  const base = { path, workspace: null, took_ms };
  // A session that was to be given its history and never was holds none, however well it comes back.
  if (ready.opened !== "new" && ready.verified && !state.inject)
    return {
      ...base,
      strategy: "native",
      grade: "native",
      verified: true,
      lost: null,
    };
  const why = ready.failed === null ? "" : ` (${ready.failed.message})`;
  const turns = state.last_turn;
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

const countTurns = (turns: number): string =>
  turns === 1 ? "1 turn" : `${turns} turns`;
