import assert from "node:assert/strict";
import { test } from "node:test";
import type { HomeChange } from "../contract/api/stream-route.ts";
import { placeKey } from "../contract/base/place.ts";
import { SessionId, TaskId } from "../contract/base/id.ts";
import { CommitFeed } from "../journal/commit-feed.ts";
import { SESSION, Story } from "../session/testing.ts";
import { derivedBy } from "../session/view/derive.ts";
import { memoryStore } from "../store/memory.ts";
import { followHome } from "./home-stream.ts";
import type { Store } from "./ports/store.ts";
import type { Sessions } from "./sessions/session-journal.ts";
import type { Tasks } from "./tasks/task-journal.ts";

const SESSIONS = 1000;

/** A home with many sessions, each of which is told of by a number. */
const home = async () => {
  const store = memoryStore();
  const term = await store.claim();
  const commits = new CommitFeed<Sessions>();
  const taskCommits = new CommitFeed<Tasks>();
  const story = new Story().up();
  const place = { key: placeKey(story.state.workspace.place), term };
  const idOf = (n: number): SessionId =>
    SessionId.parse(`ses_${String(n).padStart(26, "0")}`);
  const lengths = new Map<SessionId, number>();
  const put = async (n: number, quiet = false): Promise<void> => {
    const id = idOf(n);
    const after = lengths.get(id) ?? 0;
    const [first] = story.events;
    assert.ok(first !== undefined);
    const events = [{ ...first, seq: after + 1, session_id: id }];
    const derived = derivedBy([], null, story.state, first.at);
    const view = { ...derived.view, id, last_seq: after + 1 };
    const change = { ...derived, view, quiet };
    lengths.set(id, after + 1);
    const common = { place, session_id: id, after, events, ...change };
    await store.append({ ...common, snapshot: null, receipt: null, env: null });
    const { state } = story;
    const told = { id, events, before: null, after: state, derived: change };
    commits.publish(told);
  };
  return { store, commits, taskCommits, put, idOf, place };
};

class Follower implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #batches: AsyncGenerator<readonly HomeChange[]>;

  constructor(
    parts: Pick<Awaited<ReturnType<typeof home>>, "commits" | "taskCommits"> & {
      store: Pick<Store, "changes">;
    },
    after?: number,
  ) {
    const quickly = { ...parts, readEveryMs: 0 };
    this.#batches = followHome(quickly, after, this.#stop.signal);
  }

  async next(): Promise<readonly HomeChange[]> {
    const { value, done } = await this.#batches.next();
    return done === true ? [] : value;
  }

  /** What is told until so many were. */
  async take(count: number): Promise<HomeChange[]> {
    const all: HomeChange[] = [];
    while (all.length < count) all.push(...(await this.next()));
    return all;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#batches.return(undefined);
  }
}

const sessionsOf = (changes: readonly HomeChange[]): SessionId[] =>
  changes.flatMap((each) =>
    each.type === "session.changed" ? [each.session.id] : [],
  );

test("[API-166] a follower that does not read is held nothing for, and then gets each session once, as it stands", async () => {
  const house = await home();
  let reads = 0;
  const store: Pick<Store, "changes"> = {
    changes: (after, limit) => {
      reads += 1;
      return house.store.changes(after, limit);
    },
  };
  await using follower = new Follower({ ...house, store });
  assert.deepEqual(await follower.next(), [{ seq: 0, type: "stream.opened" }]);
  for (let round = 0; round < 5; round += 1)
    for (let n = 0; n < SESSIONS; n += 1) await house.put(n);
  assert.equal(reads, 1, "nothing is read for one that does not ask");
  const told = await follower.take(SESSIONS);
  assert.equal(new Set(sessionsOf(told)).size, SESSIONS);
  assert.equal(told.length, SESSIONS);
  assert.ok(reads <= 12, `${reads} reads`);
  assert.ok(
    told.every(
      (each) => each.type !== "session.changed" || each.session.last_seq === 5,
    ),
  );
});

test("[API-165] it begins now, or behind a cursor, and goes on with what happens", async () => {
  const house = await home();
  await house.put(1);
  await house.put(2);
  await using now = new Follower(house);
  assert.deepEqual(await now.next(), [{ seq: 2, type: "stream.opened" }]);
  await using since = new Follower(house, 1);
  assert.deepEqual(await since.next(), [{ seq: 1, type: "stream.opened" }]);
  assert.deepEqual(sessionsOf(await since.next()), [house.idOf(2)]);
  const next = [now.next(), since.next()];
  await house.put(2, true);
  await house.put(1);
  for (const batch of await Promise.all(next)) {
    assert.deepEqual(sessionsOf(batch), [house.idOf(1)]);
    assert.equal(batch[0]?.seq, 3);
  }
});

test("[API-167] a session that is removed for good is told, and so is a cursor that is none of this home", async () => {
  const house = await home();
  await house.put(1);
  await using follower = new Follower(house, 7);
  await follower.next();
  assert.deepEqual(await follower.next(), [{ seq: 1, type: "stream.reset" }]);
  const gone = follower.next();
  await house.store.purge(house.place, house.idOf(1));
  house.commits.release(new Set([SESSION]), new Error("gone"));
  assert.deepEqual(await gone, [
    { seq: 2, type: "session.removed", session_id: house.idOf(1) },
  ]);
});

test("[API-165] a task that is removed for good is told", async () => {
  const house = await home();
  await using follower = new Follower(house);
  await follower.next();
  const task_id = TaskId.parse("tsk_00000000000000000000000000");
  const gone = follower.next();
  await house.store.purgeTask(house.place, task_id);
  house.taskCommits.release(new Set([task_id]), new Error("gone"));
  assert.deepEqual(await gone, [{ seq: 1, type: "task.removed", task_id }]);
});
