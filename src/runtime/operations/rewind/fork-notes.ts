/**
 * A fork of a worktree has refs in the person's repository before it is in the journal, and no directory that would show
 * it. A note in the home says so meanwhile: whoever finds one of a session that never came to be takes the refs away.
 */
import { isDeepStrictEqual } from "node:util";
import { SessionId } from "../../../contract/base/id.ts";
import { Worktree } from "../../../contract/link/link-workspace.ts";
import { LOCAL, PlaceRef } from "../../../contract/base/place.ts";
import type { Place } from "../../ports/executors.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { worktreeFor } from "../workspace.ts";

/** Something that was made for a session which never came to be, and where. */
export interface Unmade {
  session_id: SessionId;
  at: PlaceRef;
  remove(place: Place): Promise<void>;
}

export const noteFork = (
  { forkNotes }: OperationDeps,
  session: SessionId,
  worktree: Worktree,
  place: PlaceRef,
): Promise<void> =>
  forkNotes.put(session, JSON.stringify({ ...worktree, place }));

export const forgetFork = (
  { forkNotes }: OperationDeps,
  session: SessionId,
): Promise<void> => forkNotes.remove(session);

/** What forks that never came to be have left. What is younger than the server that asks may be about to be written down. */
export const leftByForks = async (
  deps: OperationDeps,
  youngest: SessionId,
): Promise<Unmade[]> => {
  const left: Unmade[] = [];
  for (const name of await deps.forkNotes.list()) {
    const { data: session } = SessionId.safeParse(name);
    if (session === undefined || session >= youngest) continue;
    try {
      if ((await deps.store.session(session)) !== null)
        await forgetFork(deps, session);
      else left.push(leftBy(deps, session, await deps.forkNotes.get(session)));
    } catch (error) {
      deps.log.warn(
        { session_id: session, err: error },
        "refs of a fork that never came to be are left behind",
      );
    }
  }
  return left;
};

const leftBy = (
  deps: OperationDeps,
  session_id: SessionId,
  text: string | null,
): Unmade => {
  const { worktree, place: at } = noted(deps, session_id, text);
  return {
    session_id,
    at,
    remove: async (place) => {
      const order = { session_id, worktree, unused: true };
      await askPlace(place.workspaces.discard(order));
      await forgetFork(deps, session_id);
    },
  };
};

/**
 * What this home would have noted, word for word. A note that came with a copy of another home names a directory of that
 * home, where the fork may live: its refs are not ours to remove. What the note holds is nobody's business in the log.
 */
const noted = (
  deps: OperationDeps,
  session: SessionId,
  text: string | null,
): Note => {
  const note = noteIn(text);
  const ours = note && worktreeFor(deps, session, note.worktree.repository);
  if (note === null || !isDeepStrictEqual(note.worktree, ours))
    throw new Error("the note of the fork is not one of this home");
  return note;
};

interface Note {
  worktree: Worktree;
  place: PlaceRef;
}

/** Older releases did not note the place. */
const Noted = Worktree.extend({ place: PlaceRef.default(LOCAL) });

const noteIn = (text: string | null): Note | null => {
  try {
    const { place, ...worktree } = Noted.parse(JSON.parse(text ?? "null"));
    return { worktree, place };
  } catch {
    return null;
  }
};
