/** What is done with damaged sessions, to whose journal nothing can be added. */
import type { Damage } from "../../contract/api/damage-route.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session, SessionStatus } from "../../contract/session/session.ts";
import { within } from "../../kit/time/deadline.ts";
import type { Liveness } from "../../session/state/world-report.ts";
import { damagedStatus, shownDamage } from "../../session/view/damaged.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import { STOP_GRACE_MS } from "../places/stop-grace.ts";
import type { Place } from "../ports/executors.ts";
import type { OperationDeps } from "./operation-deps.ts";

const MAX_TOLD = 100;
const LOOK_MS = 2000;

export const damageOperations = ({ store, storageDamage }: OperationDeps) => ({
  showDamage: async (): Promise<Damage> => ({
    database: [...storageDamage()],
    sessions: (await store.damaged(MAX_TOLD)).flatMap(
      ({ id, name, damaged_from }) =>
        damaged_from === null ? [] : [{ id, name, damaged_from }],
    ),
  }),
});

/** Does what a session is asked for; where its journal is damaged, what can be done then. */
export const orDamaged = async <T>(
  { store }: Pick<OperationDeps, "store">,
  session: SessionId,
  work: () => Promise<T>,
  otherwise: (session: Session, damaged_from: number) => Promise<T> | T,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isSessionDamaged(error)) throw error;
    const stored = await store.session(session);
    const from = stored?.damaged_from ?? error.damaged_from;
    if (stored === null || from === undefined) throw error;
    return otherwise(shownDamage({ ...stored, damaged_from: from }), from);
  }
};

/** Refuses what is not there, without folding what is. */
export const requireSession = async (
  { store }: Pick<OperationDeps, "store">,
  session: SessionId,
): Promise<void> => {
  if ((await store.session(session)) === null)
    throw new RepriseError(
      "session_not_found",
      `There is no session ${session}.`,
    );
};

export const statusOfDamaged = async (
  deps: OperationDeps,
  session: Session,
  damaged_from: number,
): Promise<SessionStatus> => {
  const agent = await within(
    "looking for an agent",
    LOOK_MS,
    deps.places
      .obtainHeld(session.place)
      .then((place) => livingOf(place, session)),
  ).then(
    (found): Liveness => (found === undefined ? "gone" : "alive"),
    () => null,
  );
  const at = agent === null ? null : deps.clock.now().toISOString();
  return damagedStatus(session, damaged_from, agent, at);
};

/** Its agent is stopped first: nobody hears it any more. */
export const deleteDamaged = async (
  deps: OperationDeps,
  session: Session,
): Promise<Session> => {
  const { store, engine, clock, places } = deps;
  const place = await places.obtain(session.place);
  const agent = await livingOf(place, session);
  if (agent !== undefined) {
    const { execution_id, epoch } = agent;
    await place.stop({ execution_id, epoch, grace_ms: STOP_GRACE_MS });
  }
  const deleted_at = session.deleted_at ?? clock.now().toISOString();
  await engine.writeAt(session.place, (place) =>
    store.trashDamaged(place, session.id, deleted_at),
  );
  return { ...session, deleted_at };
};

export const undeleteDamaged = async (
  { store, engine }: OperationDeps,
  session: Session,
): Promise<Session> => {
  await engine.writeAt(session.place, (place) =>
    store.trashDamaged(place, session.id, null),
  );
  return { ...session, deleted_at: null };
};

/** An execution of it that lives, whatever its journal said last. */
const livingOf = async (place: Place, { id }: Session) =>
  (await place.executions()).find(
    ({ session_id, alive }) => session_id === id && alive,
  );
