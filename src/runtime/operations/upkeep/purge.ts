/** Removes a session in the trash for good: because its time there is over, or because somebody asked. */
import type { SessionId } from "../../../contract/base/id.ts";
import type { Session } from "../../../contract/session/session.ts";
import {
  isSamePlace,
  KIND_DOCKER,
  type PlaceRef,
} from "../../../contract/base/place.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import type { Workspace } from "../../../session/state/state.ts";
import { mayBePurged } from "../../../session/view/retention.ts";
import { viewOf } from "../../../session/view/view.ts";
import { allSessions } from "../../sessions/all-sessions.ts";
import { soundStateOf } from "../../sessions/sound-state.ts";
import { askPlace } from "../ask-place.ts";
import { orDamaged } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { madeBeside, ownDirectory } from "../workspace.ts";

export interface Purge {
  /** Somebody may have come back to it since it was listed. */
  isDue: (session: Session) => Promise<boolean>;
  /** Called before the first thing is removed. */
  begin?: (session: Session) => Promise<void>;
}

/** Why a session in the trash cannot go now; null where it can. */
export type PurgeObstacle =
  | { kind: "busy" }
  /** Another session works in the directory that was made for this one, and would lose it. */
  | { kind: "lent"; to: SessionId };

/** Says whether it went. */
export const purge = (
  deps: OperationDeps,
  session: SessionId,
  { isDue, begin }: Purge,
): Promise<boolean> =>
  orDamaged(
    deps,
    session,
    () =>
      deps.engine.purge(
        session,
        async (state) =>
          mayBePurged(state) &&
          (await isDue(viewOf(state))) &&
          (await guestOf(deps, { id: session, ...state.workspace })) === null,
        async (state) => {
          await begin?.(viewOf(state));
          await discard(deps, state.id, state.workspace);
        },
      ),
    (damaged) =>
      purgeDamaged(deps, damaged, { isDue, ...(begin && { begin }) }),
  );

export const whyNotPurged = async (
  deps: OperationDeps,
  session: Pick<Session, "id" | "place" | "cwd">,
): Promise<PurgeObstacle | null> => {
  const isAtRest = await orDamaged(
    deps,
    session.id,
    async () => mayBePurged(await deps.engine.state(session.id)),
    () => true,
  );
  if (!isAtRest) return { kind: "busy" };
  const to = await guestOf(deps, session);
  return to === null ? null : { kind: "lent", to };
};

/** Another session that works in the directory that was made for this one. */
const guestOf = async (
  deps: OperationDeps,
  owner: Pick<Session, "id" | "place" | "cwd">,
): Promise<SessionId | null> => {
  const made = madeBeside(deps, owner);
  if (made === null) return null;
  const path = ownDirectory({ workspaces: made }, owner.id);
  const near = { place: owner.place, path };
  for (const deleted of [false, true])
    for await (const { id, cwd } of allSessions(deps.store, { deleted, near }))
      if (id !== owner.id && isInside(cwd, path)) return id;
  return null;
};

/** Its directory goes too, where the journal can still tell of it. Nothing can come in between: nothing is added to it. */
const purgeDamaged = async (
  deps: OperationDeps,
  damaged: Session,
  { isDue, begin }: Purge,
): Promise<boolean> => {
  const { store, engine } = deps;
  const { id, place, cwd } = damaged;
  const session = await store.session(id);
  if (session === null || !(await isDue(session))) return false;
  if ((await guestOf(deps, damaged)) !== null) return false;
  // A worktree elsewhere is another home's: the session was imported, and its journal is damaged before that.
  const worktree = await soundStateOf(deps, id).then(
    ({ workspace }) => (workspace.cwd === cwd ? workspace.worktree : null),
    () => null,
  );
  await begin?.(session);
  await discard(deps, id, { place, worktree, cwd });
  await engine.writeAt(place, (term) => store.purge(term, id));
  return true;
};

/** The journal goes last: what is cut short here is done again, all of it. */
const discard = async (
  deps: OperationDeps,
  id: SessionId,
  { place: at, worktree, cwd }: Pick<Workspace, "place" | "worktree" | "cwd">,
): Promise<void> => {
  deps.callers.forget(id);
  const place = await deps.places.obtain(at);
  await askPlace(
    place.workspaces.discard({
      session_id: id,
      worktree,
      ...(worktree === null && { rewound_in: cwd }),
    }),
  );
  if (at.kind === KIND_DOCKER && !(await isShared(deps, id, at)))
    await deps.places.remove(at);
  await deps.discardRecords(id);
};

/** A fork works in the container of the session that it was made from. */
const isShared = async (
  { store }: OperationDeps,
  session: SessionId,
  at: PlaceRef,
): Promise<boolean> => {
  for (const deleted of [false, true])
    for await (const { id, place } of allSessions(store, { deleted }))
      if (id !== session && isSamePlace(place, at)) return true;
  return false;
};
