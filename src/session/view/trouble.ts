/** What does not fit between a session's journal and the world, and what to do about it (REC-13). Nothing is repaired by looking. */
import type { Trouble } from "../../contract/session/session.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import { isNothingAsked } from "../evolve/permissions.ts";
import { isLocal } from "../../contract/base/place.ts";
import { placeOf } from "../state/place.ts";
import type { State } from "../state/state.ts";
import type { WorldReport } from "../state/world-report.ts";

export interface Patience {
  startMs: number;
  silentMs: number;
}

/** `seen`: null when nobody could look, `at_rest` when no agentctl is there and none has to be. */
export const troublesOf = (
  state: State,
  seen: WorldReport | "at_rest" | null,
  patience: Patience,
  at: string,
): Trouble[] => {
  const report = seen === "at_rest" ? null : seen;
  const troubles: Trouble[] = [];
  const say = (code: Trouble["code"], text: string): void => {
    troubles.push({ code, text });
  };

  if (seen === null)
    say(
      "agentctl_unavailable",
      `${whoIsAway(state)} does not answer, so nobody knows whether the agent lives. It is tried again by itself.`,
    );
  if (state.execution !== null && report?.agent === "gone")
    say(
      "agent_gone",
      `The session is ${state.lifecycle.name}, but its agent is gone. Recover the session.`,
    );
  if (
    state.lifecycle.name === "STARTING" &&
    elapsedMs(state.lifecycle.since, at) > patience.startMs
  )
    say(
      "starting_too_long",
      `The agent has been starting since ${state.lifecycle.since}. Recover the session.`,
    );
  if (
    state.lifecycle.name === "RUNNING" &&
    isNothingAsked(state.permissions) &&
    report?.agent === "alive" &&
    elapsedMs(state.times.last_active_at, at) > patience.silentMs
  )
    say(
      "agent_silent",
      `The agent has said nothing since ${state.times.last_active_at}. It may be working; to stop it, cancel the turn or pause the session.`,
    );
  const survivors = report?.survivors ?? [];
  if (survivors.length > 0)
    say(
      "workspace_busy",
      `Processes of an ended execution still run: ${survivors.join(", ")}. Recover the session.`,
    );
  return troubles;
};

const whoIsAway = (state: State): string => {
  const at = placeOf(state);
  return isLocal(at) ? "agentctl" : `The host ${at.id}`;
};
