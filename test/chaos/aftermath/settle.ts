/** After the storm: every session is brought to rest, and must be able to come back and know what it knew. */
import { setTimeout as pause } from "node:timers/promises";
import type { Session } from "../../../src/contract/session/session.ts";
import { isTerminal } from "../../../src/contract/session/state.ts";
import { answer } from "../user/answer.ts";
import { insist } from "../user/insist.ts";
import type { Play } from "../play.ts";
import { Chance } from "../random.ts";
import { resolve } from "../user/resolve.ts";
import type { Stage } from "../stage.ts";

/** Nothing runs, nothing waits, nothing is undecided. Null when that could not be reached in time. */
export const bringToRest = async (
  stage: Stage,
  play: Play,
  signal: AbortSignal,
): Promise<Session | null> => {
  const chance = new Chance(stage.seed, `settle ${play.name}`);
  let session: Session | null = null;
  while (!signal.aborted) {
    session = await shown(stage, play, chance, signal);
    if (session === null) break;
    const { state } = session;
    if (isTerminal(state) && !session.is_agent_running) return session;
    for (const { id, options } of session.pending_permissions)
      await answer(stage, play, chance, id, options[0]?.id ?? "", signal);
    for (const { id } of isTerminal(state) ? [] : session.unresolved_prompts)
      await resolve(stage, play, chance, id, "drop", signal);
    const isQuiet =
      session.queued_prompts.length === 0 &&
      session.unresolved_prompts.length === 0;
    // What waits in a paused session waits until it is asked for.
    const isStopped = state === "ERROR" || (state === "PAUSED" && !isQuiet);
    if (isStopped) await resumed(stage, play, chance, signal);
    if (isQuiet && (state === "WAITING_FOR_INPUT" || state === "PAUSED"))
      return session;
    await pause(100, undefined, { signal }).catch(() => null);
  }
  if (session !== null)
    stage.violations.add(
      "P10",
      play.name,
      `it does not come to rest: ${describe(session)}`,
    );
  return null;
};

export const shown = async (
  { client }: Stage,
  { id }: Play,
  chance: Chance,
  signal: AbortSignal,
): Promise<Session | null> => {
  const outcome = await insist(chance, signal, (patience) =>
    client.call("showSession", { params: { id }, signal: patience }),
  );
  return outcome.kind === "done" ? outcome.value : null;
};

export const resumed = async (
  { client, violations }: Stage,
  play: Play,
  chance: Chance,
  signal: AbortSignal,
): Promise<Session | null> => {
  const outcome = await insist(chance, signal, (patience) =>
    client.call("resumeSession", {
      params: { id: play.id },
      body: {},
      signal: patience,
    }),
  );
  if (outcome.kind === "refused")
    violations.add(
      "P9",
      play.name,
      `resuming was refused: ${outcome.code} ${outcome.message}`,
    );
  return outcome.kind === "done" ? outcome.value : null;
};

const describe = (session: Session): string => {
  const {
    state,
    is_agent_running,
    error_message,
    queued_prompts,
    unresolved_prompts,
    pending_permissions,
  } = session;
  return JSON.stringify({
    state,
    is_agent_running,
    error_message,
    queued: queued_prompts.map(({ id }) => id),
    unresolved: unresolved_prompts,
    pending: pending_permissions.map(({ id }) => id),
  });
};
