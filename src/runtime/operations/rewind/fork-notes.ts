/**
 * A fork of a worktree has refs in the person's repository before it is in the journal, and no directory that would show
 * it. A note in the home says so meanwhile: whoever finds one of a session that never came to be takes the refs away.
 */
import { isDeepStrictEqual } from "node:util";
import { SessionId } from "../../../contract/id.ts";
import { Worktree } from "../../../contract/link-workspace.ts";
import { LOCAL } from "../../../contract/place.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { worktreeFor } from "../workspace.ts";

export const noteFork = (
  { forkNotes }: OperationDeps,
  session: SessionId,
  worktree: Worktree,
): Promise<void> => forkNotes.put(session, JSON.stringify(worktree));

export const forgetFork = (
  { forkNotes }: OperationDeps,
  session: SessionId,
): Promise<void> => forkNotes.remove(session);

/** What is younger than the server that asks may be about to be written down. */
export const abandonForks = async (
  deps: OperationDeps,
  youngest: SessionId,
): Promise<void> => {
  for (const name of await deps.forkNotes.list()) {
    const { data: session } = SessionId.safeParse(name);
    if (session === undefined || session >= youngest) continue;
    try {
      if ((await deps.store.session(session)) === null)
        await takeAway(deps, session);
      await forgetFork(deps, session);
    } catch (error) {
      deps.log.warn(
        { session_id: session, err: error },
        "refs of a fork that never came to be are left behind",
      );
    }
  }
};

const takeAway = async (
  deps: OperationDeps,
  session: SessionId,
): Promise<void> => {
  const text = await deps.forkNotes.get(session);
  const worktree = noted(deps, session, text);
  const place = await deps.places.obtain(LOCAL);
  const order = { session_id: session, worktree, unused: true };
  await askPlace(place.workspaces.discard(order));
};

/**
 * What this home would have noted, word for word. A note that came with a copy of another home names a directory of that
 * home, where the fork may live: its refs are not ours to remove. What the note holds is nobody's business in the log.
 */
const noted = (
  deps: OperationDeps,
  session: SessionId,
  text: string | null,
): Worktree => {
  const worktree = worktreeIn(text);
  const ours = worktree && worktreeFor(deps, session, worktree.repository);
  if (worktree === null || !isDeepStrictEqual(worktree, ours))
    throw new Error("the note of the fork is not one of this home");
  return worktree;
};

const worktreeIn = (text: string | null): Worktree | null => {
  try {
    return Worktree.parse(JSON.parse(text ?? "null"));
  } catch {
    return null;
  }
};
