/**
 * Everything that changes in the home, over all sessions and tasks, from a cursor on.
 *
 *   a commit ──► wakes ──► the changes behind the cursor, read from the store ──► told; the cursor goes on
 *
 * Nothing is held for a follower: one that is slow reads later, and gets each session once, as it stands by then.
 */
import { setTimeout } from "node:timers/promises";
import type { HomeChange } from "../contract/api/stream-route.ts";
import type { CommitFeed } from "../journal/commit-feed.ts";
import { unreachable } from "../kit/unreachable.ts";
import { shownDamage } from "../session/view/damaged.ts";
import type { Change, Store } from "./ports/store.ts";
import type { Sessions } from "./sessions/session-journal.ts";
import type { Tasks } from "./tasks/task-journal.ts";

/** How many changes are read at a time, and how often a follower reads at most. */
const PAGE = 100;
const READ_EVERY_MS = 100;

interface Parts {
  store: Pick<Store, "changes">;
  commits: CommitFeed<Sessions>;
  taskCommits: CommitFeed<Tasks>;
  readEveryMs?: number;
}

export async function* followHome(
  parts: Parts,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly HomeChange[]> {
  const { store, readEveryMs = READ_EVERY_MS } = parts;
  const news = newsOf(parts, signal);
  try {
    let cursor = after ?? (await store.changes(0, 1)).last;
    yield [{ seq: cursor, type: "stream.opened" }];
    while (!signal.aborted) {
      news.clear();
      const page = await store.changes(cursor, PAGE);
      cursor = page.next;
      if (page.isReset) yield [{ seq: cursor, type: "stream.reset" }];
      else if (page.changes.length > 0) yield page.changes.map(toldOf);
      if (cursor < page.last) continue;
      await setTimeout(readEveryMs, undefined, { signal }).catch(ignore);
      await news.wait();
    }
  } finally {
    news.close();
  }
}

const toldOf = (change: Change): HomeChange => {
  const seq = change.changed;
  switch (change.kind) {
    case "session": {
      const session = shownDamage(change.session);
      return { seq, type: "session.changed", session };
    }
    case "task":
      return { seq, type: "task.changed", task: change.task };
    case "session_removed":
      return { seq, type: "session.removed", session_id: change.id };
    case "task_removed":
      return { seq, type: "task.removed", task_id: change.id };
    default:
      return unreachable(change);
  }
};

/** Whether something happened since it was last looked. */
const newsOf = ({ commits, taskCommits }: Parts, signal: AbortSignal) => {
  let isNews = false;
  let wake: () => void = () => undefined;
  const tell = (): void => {
    isNews = true;
    wake();
  };
  const leave = [
    commits.onAny(({ derived }) => {
      if (derived.quiet !== true) tell();
    }),
    commits.onReleased(tell),
    taskCommits.onAny(tell),
    taskCommits.onReleased(tell),
  ];
  signal.addEventListener("abort", tell);
  return {
    clear(): void {
      isNews = false;
    },
    wait: (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve;
        if (isNews || signal.aborted) resolve();
      }),
    close(): void {
      signal.removeEventListener("abort", tell);
      for (const each of leave) each();
    },
  };
};

const ignore = (): undefined => undefined;
