/** The retention policy: which sessions it ends, puts into the trash or removes for good. */
import type { SessionId } from "../../../contract/base/id.ts";
import {
  isSamePlace,
  type PlaceRef,
  placeKey,
} from "../../../contract/base/place.ts";
import type { Session } from "../../../contract/session/session.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import {
  type Fate,
  fateOf,
  isAgeLimited,
} from "../../../session/view/retention.ts";
import type { State } from "../../../session/state/state.ts";
import { viewOf } from "../../../session/view/view.ts";
import { allSessions } from "../../sessions/all-sessions.ts";
import { isSessionGone } from "../../failures/session-gone.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { endShells } from "../workspace/shells.ts";
import { askedPurges, isPurgeAsked } from "./asked-purges.ts";
import { atPlaces, type Means } from "./at-places.ts";
import { purge, whyNotPurged } from "./purge.ts";

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
  const asked = await askedPurges(store);
  // Without a limit of their age, sessions outside the trash are kept: nobody has to read them.
  const inTrash = isAgeLimited(deps.retention) ? [false, true] : [true];
  for (const deleted of inTrash)
    for await (const session of allSessions(store, { deleted })) {
      const isAsked = deleted && asked.get(session.id) === session.deleted_at;
      const fate = isAsked ? "purge" : fateNow(deps, session);
      // What becomes of a damaged one is a person's to decide, until it is in the trash.
      if (session.damaged_from !== null && fate !== "purge") continue;
      if (fate === "end") found.ended.push(session.id);
      if (fate === "delete") found.deleted.push(session.id);
      if (fate === "purge" && (await whyNotPurged(deps, session)) === null)
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
    // Somebody else removed it meanwhile.
    if (isSessionGone(error)) return false;
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
      return purge(deps, session, {
        isDue: async (found) =>
          fateNow(deps, found) === "purge" ||
          (await isPurgeAsked(deps.receipts, found)),
      });
    default:
      return unreachable(fate);
  }
};
