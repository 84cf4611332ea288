/** `recovery: "all"`: sessions that wait for input get their agent back when the server starts, a few at a time. */
import type { SessionId } from "../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { Gate } from "../../kit/time/gate.ts";
import { orAborted } from "../../kit/time/or-aborted.ts";
import { isIdleAndResumable } from "../../session/resume/resume.ts";
import type { State } from "../../session/state/state.ts";
import { lookIfThere } from "../places/look.ts";
import { allSessions } from "../sessions/all-sessions.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import type { Alive } from "./settle-place.ts";

/**
 * Each place by itself, once it is known who lives there: a place that does not answer keeps no other waiting. Resolves when
 * all sessions have their agent, or could not get it.
 */
export const bringBackIdle = async (
  deps: RecoveryDeps,
  settled: ReadonlyMap<string, Promise<Alive>>,
): Promise<void> => {
  // As many as may start at a time: whoever asks for an agent meanwhile waits behind these, not behind all that are idle.
  const gate = new Gate(deps.startsAtATime);
  const bringing = [...(await waitingSessions(deps))].map(
    async ([key, { at, ids }]) => {
      const alive = await settled.get(key);
      // Not in the gate: one that does not answer would keep out the sessions of all others.
      await orAborted(deps.places.obtain(at), deps.closing).catch(ignore);
      await Promise.all(
        ids
          .filter((id) => alive?.has(id) !== true)
          .map((id) => bringBackThrough(gate, deps, id)),
      );
    },
  );
  await Promise.all(bringing);
};

/** By place, all of them before the first is brought back, which changes the list. Which of them can be is read off their state. */
const waitingSessions = async ({
  store,
}: RecoveryDeps): Promise<Map<string, { at: PlaceRef; ids: SessionId[] }>> => {
  const found = new Map<string, { at: PlaceRef; ids: SessionId[] }>();
  const states = ["WAITING_FOR_INPUT"];
  for await (const { id, place: at } of allSessions(store, { states })) {
    const there = found.get(placeKey(at)) ?? { at, ids: [] };
    there.ids.push(id);
    found.set(placeKey(at), there);
  }
  return found;
};

/** A session that cannot be brought back keeps nobody else waiting; what went wrong is in its journal. */
const bringBackThrough = async (
  gate: Gate,
  deps: RecoveryDeps,
  id: SessionId,
): Promise<void> => {
  const leave = await gate.enter();
  try {
    if (!deps.closing.aborted) await bringBack(deps, id);
  } catch (error) {
    if (!deps.closing.aborted)
      deps.log.warn(
        { session_id: id, err: error },
        "an idle session was not brought back; a prompt or a resume does it",
      );
  } finally {
    leave();
  }
};

/** Resolves when its agent is up, or could not be had. */
const bringBack = async (deps: RecoveryDeps, id: SessionId): Promise<void> => {
  const { engine, closing } = deps;
  // An agent that died while no server was there is concluded first.
  await engine.until(id, isSettled, withDeadline(closing, CONCLUDE_MS));
  const state = await engine.state(id);
  if (!isIdleAndResumable(state)) return;
  const report = await lookIfThere(deps, state);
  await engine.issueIf(id, isIdleAndResumable, {
    type: "session.resume",
    trigger: "startup",
    report,
  });
  await engine.until(id, isUp, withDeadline(closing, START_MS));
};

/** How long one session is waited for until the next gets its turn. */
const CONCLUDE_MS = 10_000;
const START_MS = 60_000;

const withDeadline = (signal: AbortSignal, ms: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)]);

const isSettled = ({ execution, lifecycle }: State): boolean =>
  execution === null || lifecycle.name !== "WAITING_FOR_INPUT";

const isUp = ({ lifecycle }: State): boolean => lifecycle.name !== "STARTING";

const ignore = (): void => undefined;
