/** Letting go: by the retention policy, and then of everything that nothing needs any more. */
import { Collected } from "../../../contract/checkpoint-route.ts";
import { NoDraft } from "../../../contract/draft.ts";
import type { SessionId } from "../../../contract/id.ts";
import { LOCAL } from "../../../contract/place.ts";
import type { GcRequest } from "../../../contract/request.ts";
import type { Session } from "../../../contract/session.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import {
  type Fate,
  fateOf,
  isAgeLimited,
  mayBePurged,
} from "../../../session/view/retention.ts";
import type { State } from "../../../session/state/state.ts";
import { viewOf } from "../../../session/view/view.ts";
import { allSessions } from "../../journal/all-sessions.ts";
import { once } from "../once.ts";
import { soundStateOf } from "../../journal/sound-state.ts";
import { askPlace } from "../ask-place.ts";
import { orDamaged } from "../damage.ts";
import { treesOf } from "./disk.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { abandonUnmade } from "./unmade.ts";
import { affectedBy, Verifications } from "./verify.ts";
import { ownDirectory } from "../workspace.ts";

type Fated = Pick<Collected, "ended" | "deleted" | "purged">;
type Pruned = Omit<Collected, "dry_run" | "verification" | keyof Fated>;

export const gcOperations = (deps: OperationDeps) => {
  // Ids sort by age: whatever has a lower one was begun by a server before us.
  const ours = deps.ids.session();
  const verifications = new Verifications(deps);
  const collect = async (request: GcRequest): Promise<Collected> => {
    const { dry_run } = request;
    // Beside the lane: retention does not wait for hours.
    const verification =
      request.verify === true ? await verifications.ask(dry_run) : null;
    return deps.lanes.run("gc", async () => {
      if (!dry_run) await abandonUnmade(deps, ours);
      const collected = await collectGarbage(deps, request);
      return { ...collected, ...(verification && { verification }) };
    });
  };
  return {
    /** To do it again frees what has become free meanwhile. */
    collectGarbage: (request: GcRequest, key?: string): Promise<Collected> =>
      once(deps, {
        scope: "gc",
        key,
        request,
        draft: NoDraft,
        answer: Collected,
        begin: async () => null,
        finish: () => collect(request),
      }),
    /** What the clock asks for. Blobs are looked through only when a session has gone. */
    keepRetention: () =>
      deps.lanes.run("gc", async () => {
        await abandonUnmade(deps, ours);
        const fated = await applyPolicy(deps);
        if (fated.purged.length > 0) await prune(deps, new Set(), false);
        return fated;
      }),
  };
};

const collectGarbage = async (
  deps: OperationDeps,
  { dry_run }: GcRequest,
): Promise<Collected> => {
  const fated = dry_run ? await fates(deps) : await applyPolicy(deps);
  const pruned = await prune(deps, new Set(fated.purged), dry_run);
  return { dry_run, ...fated, ...pruned };
};

/** What would become of sessions now. */
const fates = async (deps: OperationDeps): Promise<Fated> => {
  const { store } = deps;
  const found: Record<Fate, SessionId[]> = {
    keep: [],
    end: [],
    delete: [],
    purge: [],
  };
  // Without a limit of their age, sessions outside the trash are kept: nobody has to read them.
  const inTrash = isAgeLimited(deps.retention) ? [false, true] : [true];
  for (const deleted of inTrash)
    for await (const session of allSessions(store, { deleted })) {
      const fate = fateNow(deps, session);
      // What becomes of a damaged one is a person's to decide, until it is in the trash.
      if (session.damaged_from !== null && fate !== "purge") continue;
      if (fate !== "purge" || (await isPurgeable(deps, session)))
        found[fate].push(session.id);
    }
  return { ended: found.end, deleted: found.delete, purged: found.purge };
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
  { id }: Session,
): Promise<boolean> => {
  const isAtRest = await orDamaged(
    deps,
    id,
    async () => mayBePurged(await deps.engine.state(id)),
    () => true,
  );
  return isAtRest && !(await isLent(deps, id));
};

/** Another session works in the directory that was made for this one, and would lose it. */
const isLent = async (
  deps: OperationDeps,
  owner: SessionId,
): Promise<boolean> => {
  const own = ownDirectory(deps, owner);
  for (const deleted of [false, true])
    for await (const { id, cwd } of allSessions(deps.store, {
      deleted,
      near: { place: LOCAL, path: own },
    }))
      if (id !== owner && isInside(cwd, own)) return true;
  return false;
};

/** One that cannot be let go does not hold up the others. */
const applyPolicy = async (deps: OperationDeps): Promise<Fated> => {
  const due = await fates(deps);
  const each = async (
    sessions: readonly SessionId[],
    fate: Exclude<Fate, "keep">,
  ): Promise<SessionId[]> => {
    const gone: SessionId[] = [];
    for (const session of sessions)
      try {
        if (await apply(deps, session, fate)) gone.push(session);
      } catch (error) {
        deps.log.warn(
          { session_id: session, err: error },
          `could not ${fate} a session as its retention asks`,
        );
      }
    return gone;
  };
  return {
    ended: await each(due.ended, "end"),
    deleted: await each(due.deleted, "delete"),
    purged: await each(due.purged, "purge"),
  };
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
    case "delete":
      return engine.issueIf(session, isStill, { type: "session.delete" });
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
              !(await isLent(deps, session)),
            (state) => discard(deps, state),
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
  { id, place, cwd }: Session,
): Promise<boolean> => {
  const { store, engine } = deps;
  const session = await store.session(id);
  if (session === null || fateNow(deps, session) !== "purge") return false;
  if (await isLent(deps, id)) return false;
  const worktree = await soundStateOf(deps, id).then(
    (state) => state.worktree,
    () => null,
  );
  await discard(deps, { id, place, worktree, cwd });
  await store.purge(engine.term, id);
  return true;
};

/** The journal goes last: what is cut short here is done again, all of it. */
const discard = async (
  deps: OperationDeps,
  state: Pick<State, "id" | "place" | "worktree" | "cwd">,
): Promise<void> => {
  deps.callers.forget(state.id);
  const { id, worktree, cwd } = state;
  const place = await deps.places.obtain(state.place);
  await askPlace(
    place.workspaces.discard({
      session_id: id,
      worktree,
      ...(worktree === null && { rewound_in: cwd }),
    }),
  );
  await deps.discardRecords(id);
};

/** What is captured meanwhile is safe: it comes after the mark, or is told of before the journal is read. */
const prune = async (
  { places, captures, store }: OperationDeps,
  without: ReadonlySet<SessionId>,
  dry_run: boolean,
): Promise<Pruned> => {
  const place = await places.obtain(LOCAL);
  const { mark } = await askPlace(place.workspaces.prune_begin({}));
  await captures.drain();
  const needed = new Set<string>();
  const damaged_sessions: SessionId[] = [];
  for await (const each of store.needed()) {
    if (without.has(each.session_id)) continue;
    if (each.isIncomplete) damaged_sessions.push(each.session_id);
    for (const tree of treesOf(each.checkpoints)) needed.add(tree);
  }
  // P8: what a damaged journal told of checkpoints is not known, so nothing is known to be unused.
  if (damaged_sessions.length > 0) {
    const { total_bytes } = await askPlace(place.workspaces.disk({ sets: [] }));
    return { freed_bytes: 0, kept_bytes: total_bytes, damaged_sessions };
  }
  const { unreadable = [], ...pruned } = await askPlace(
    place.workspaces.prune({ mark, trees: [...needed], dry_run }),
  );
  if (unreadable.length === 0) return pruned;
  const blocking = new Map(unreadable.map((tree) => [tree, {}]));
  const affected = await affectedBy(blocking, store);
  return {
    ...pruned,
    blocked_by: affected.filter(({ session_id }) => !without.has(session_id)),
  };
};
