/** The retention policy: which sessions it ends, puts into the trash or removes for good. */
import type { SessionId } from "../../../contract/base/id.ts";
import {
  isSamePlace,
  type PlaceRef,
  placeKey,
} from "../../../contract/base/place.ts";
import type { Session } from "../../../contract/session/session.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import {
  type Fate,
  fateOf,
  isAgeLimited,
  mayBePurged,
} from "../../../session/view/retention.ts";
import type { State, Workspace } from "../../../session/state/state.ts";
import { viewOf } from "../../../session/view/view.ts";
import { allSessions } from "../../sessions/all-sessions.ts";
import { soundStateOf } from "../../sessions/sound-state.ts";
import { askPlace } from "../ask-place.ts";
import { orDamaged } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { endShells } from "../workspace/shells.ts";
import { ownDirectory } from "../workspace.ts";
import { atPlaces, type Means } from "./at-places.ts";

export interface Fates {
  ended: SessionId[];
  deleted: SessionId[];
  /** With the place that each works at. */
  purged: Pick<Session, "id" | "place">[];
}

/** What would become of sessions now. */
export const fates = async (deps: OperationDeps): Promise<Fates> => {
  const { store } = deps;
  const found: Fates = { ended: [], deleted: [], purged: [] };
  // Without a limit of their age, sessions outside the trash are kept: nobody has to read them.
  const inTrash = isAgeLimited(deps.retention) ? [false, true] : [true];
  for (const deleted of inTrash)
    for await (const session of allSessions(store, { deleted })) {
      const fate = fateNow(deps, session);
      // What becomes of a damaged one is a person's to decide, until it is in the trash.
      if (session.damaged_from !== null && fate !== "purge") continue;
      if (fate === "end") found.ended.push(session.id);
      if (fate === "delete") found.deleted.push(session.id);
      if (fate === "purge" && (await isPurgeable(deps, session)))
        found.purged.push(session);
    }
  return found;
};

const fateNow = (
  { retention, ages }: OperationDeps,
  { state, last_active_at, deleted_at }: Session,
): Fate =>
  fateOf(
    {
      state,
      last_active_at: ages.since(last_active_at),
      deleted_at: deleted_at === null ? null : ages.since(deleted_at),
    },
    retention,
    ages.now().toISOString(),
  );

/** Whether a session that was in the trash long enough can go: a dry run asks what the collection then asks again. */
const isPurgeable = async (
  deps: OperationDeps,
  session: Session,
): Promise<boolean> => {
  const { id } = session;
  const isAtRest = await orDamaged(
    deps,
    id,
    async () => mayBePurged(await deps.engine.state(id)),
    () => true,
  );
  return isAtRest && !(await isLent(deps, session));
};

/** Another session works in the directory that was made for this one, and would lose it. */
const isLent = async (
  deps: OperationDeps,
  owner: Pick<Session, "id" | "place">,
): Promise<boolean> => {
  const path = ownDirectory(deps, owner.id);
  const near = { place: owner.place, path };
  for (const deleted of [false, true])
    for await (const { id, cwd } of allSessions(deps.store, { deleted, near }))
      if (id !== owner.id && isInside(cwd, path)) return true;
  return false;
};

/** One that cannot be let go does not hold up the others, and a place that does not answer holds up its own. */
export const applyPolicy = async (
  deps: OperationDeps & Means,
): Promise<Fates> => {
  const due = await fates(deps);
  const ended: SessionId[] = [];
  for (const id of due.ended)
    if (await isApplied(deps, id, "end")) ended.push(id);
  const deleted: SessionId[] = [];
  for (const id of due.deleted)
    if (await isApplied(deps, id, "delete")) deleted.push(id);
  const purged: Fates["purged"] = [];
  await atPlaces(deps, placesOf(due.purged), async (_, at) => {
    for (const session of due.purged)
      if (
        isSamePlace(session.place, at) &&
        (await isApplied(deps, session.id, "purge"))
      )
        purged.push(session);
  });
  // What takes longer than is waited for goes on, and is not in this list any more.
  return { ended, deleted, purged: [...purged] };
};

/** The places of sessions, each once. */
const placesOf = (sessions: readonly Pick<Session, "place">[]): PlaceRef[] => [
  ...new Map(sessions.map(({ place }) => [placeKey(place), place])).values(),
];

const isApplied = async (
  deps: OperationDeps,
  session: SessionId,
  fate: Exclude<Fate, "keep">,
): Promise<boolean> => {
  try {
    return await apply(deps, session, fate);
  } catch (error) {
    deps.log.warn(
      { session_id: session, err: error },
      `could not ${fate} a session as its retention asks`,
    );
    return false;
  }
};

const apply = async (
  deps: OperationDeps,
  session: SessionId,
  fate: Exclude<Fate, "keep">,
): Promise<boolean> => {
  const { engine } = deps;
  // Somebody may have come back to it since it was listed.
  const isStill = (state: State): boolean =>
    fateNow(deps, viewOf(state)) === fate;
  switch (fate) {
    case "end":
      return engine.issueIf(session, isStill, {
        type: "session.end",
        outcome: "completed",
        reason: "ttl",
      });
    case "delete": {
      const command = { type: "session.delete" } as const;
      const isDeleted = await engine.issueIf(session, isStill, command);
      if (isDeleted) endShells(deps, await engine.state(session));
      return isDeleted;
    }
    case "purge":
      return orDamaged(
        deps,
        session,
        () =>
          engine.purge(
            session,
            async (state) =>
              isStill(state) &&
              mayBePurged(state) &&
              !(await isLent(deps, {
                id: session,
                place: state.workspace.place,
              })),
            ({ id, workspace }) => discard(deps, id, workspace),
          ),
        (damaged) => purgeDamaged(deps, damaged),
      );
    default:
      return unreachable(fate);
  }
};

/** Its directory goes too, where the journal can still tell of it. Nothing can come in between: nothing is added to it. */
const purgeDamaged = async (
  deps: OperationDeps,
  damaged: Session,
): Promise<boolean> => {
  const { store, engine } = deps;
  const { id, place, cwd } = damaged;
  const session = await store.session(id);
  if (session === null || fateNow(deps, session) !== "purge") return false;
  if (await isLent(deps, damaged)) return false;
  // A worktree elsewhere is another home's: the session was imported, and its journal is damaged before that.
  const worktree = await soundStateOf(deps, id).then(
    ({ workspace }) => (workspace.cwd === cwd ? workspace.worktree : null),
    () => null,
  );
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
  await deps.discardRecords(id);
};
