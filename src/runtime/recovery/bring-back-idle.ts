/** `recovery: "all"`: sessions that wait for input get their agent back when the server starts, a few at a time. */
import type { SessionId } from "../../contract/base/id.ts";
import { placeKey } from "../../contract/base/place.ts";
import { isIdleAndResumable } from "../../session/resume/bring-back.ts";
import type { State } from "../../session/state/state.ts";
import { lookIfThere } from "../places/look.ts";
import { allSessions } from "../sessions/all-sessions.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import type { Alive } from "./settle-place.ts";

const MAX_AT_A_TIME = 8;

/**
 * Each place by itself, once it is known who lives there: a place that does not answer keeps no other waiting. Resolves when
 * all sessions have their agent, or could not get it.
 */
export const bringBackIdle = async (
  deps: RecoveryDeps,
  settled: ReadonlyMap<string, Promise<Alive>>,
): Promise<void> => {
  const bringing = [...(await idleSessions(deps))].map(async ([key, ids]) => {
    const alive = await settled.get(key);
    const waiting = ids.filter((id) => alive?.has(id) !== true);
    await bringBackAll(deps, waiting);
  });
  await Promise.all(bringing);
};

const bringBackAll = async (
  deps: RecoveryDeps,
  waiting: SessionId[],
): Promise<void> => {
  const worker = async (): Promise<void> => {
    for (
      let id = waiting.shift();
      id !== undefined && !deps.closing.aborted;
      id = waiting.shift()
    )
      await bringBack(deps, id);
  };
  await Promise.all(Array.from({ length: MAX_AT_A_TIME }, worker));
};

/** All of them by place, before the first is brought back, which changes the list. */
const idleSessions = async ({
  store,
}: RecoveryDeps): Promise<Map<string, SessionId[]>> => {
  const found = new Map<string, SessionId[]>();
  const states = ["WAITING_FOR_INPUT"];
  for await (const session of allSessions(store, { states })) {
    if (session.metadata.resume_token === null) continue;
    const key = placeKey(session.place);
    const there = found.get(key) ?? [];
    there.push(session.id);
    found.set(key, there);
  }
  return found;
};

/** A session that cannot be brought back keeps nobody else waiting; what went wrong is in its journal. */
const bringBack = async (deps: RecoveryDeps, id: SessionId): Promise<void> => {
  const { engine, log, closing } = deps;
  try {
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
  } catch (error) {
    if (!closing.aborted)
      log.warn(
        { session_id: id, err: error },
        "an idle session was not brought back; a prompt or a resume does it",
      );
  }
};

/** How long a worker waits for one session until it goes on to the next. */
const CONCLUDE_MS = 10_000;
const START_MS = 60_000;

const withDeadline = (signal: AbortSignal, ms: number): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)]);

const isSettled = ({ execution, lifecycle }: State): boolean =>
  execution === null || lifecycle.name !== "WAITING_FOR_INPUT";

const isUp = ({ lifecycle }: State): boolean => lifecycle.name !== "STARTING";
