/**
 * A fork of a worktree has refs in the person's repository before it is in the journal, and no directory that would show
 * it. A note in the home says so meanwhile: whoever finds one of a session that never came to be takes the refs away.
 */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { SessionId } from "../../contract/id.ts";
import { Worktree } from "../../contract/link-workspace.ts";
import { readIfThere, remove, writeDurably } from "../../kit/durable-file.ts";

import { askPlace } from "./ask-place.ts";
import { EXECUTOR, type House } from "./house.ts";

export const noteFork = async (
  house: House,
  session: SessionId,
  worktree: Worktree,
): Promise<void> => {
  await mkdir(notesIn(house), { recursive: true, mode: 0o700 });
  await writeDurably(noteOf(house, session), JSON.stringify(worktree));
};

export const forgetFork = (house: House, session: SessionId): Promise<void> =>
  remove(noteOf(house, session));

/** What is younger than the server that asks may be about to be written down. */
export const abandonForks = async (
  house: House,
  youngest: SessionId,
): Promise<void> => {
  const names = await readdir(notesIn(house)).catch(() => []);
  for (const name of names) {
    const { data: session } = SessionId.safeParse(name);
    if (session === undefined || session >= youngest) continue;
    try {
      if ((await house.store.session(session)) === null)
        await takeAway(house, session);
      await forgetFork(house, session);
    } catch (error) {
      house.log.warn(
        { session_id: session, err: error },
        "refs of a fork that never came to be are left behind",
      );
    }
  }
};

const takeAway = async (house: House, session: SessionId): Promise<void> => {
  const text = await readIfThere(noteOf(house, session));
  const worktree = Worktree.parse(JSON.parse(text ?? "null"));
  const place = await house.places.obtain(EXECUTOR);
  const order = { session_id: session, worktree, unused: true };
  await askPlace(place.workspaces.discard(order));
};

const notesIn = ({ workspaces }: House): string => join(workspaces, ".forks");

const noteOf = (house: House, session: SessionId): string =>
  join(notesIn(house), session);
