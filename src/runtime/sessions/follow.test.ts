import assert from "node:assert/strict";
import { test } from "node:test";
import { eventJson } from "../../contract/event/event-json.ts";
import type { Event } from "../../contract/event/event.ts";
import { SESSION, Story } from "../../session/testing.ts";
import { derivedBy } from "../../session/view/derive.ts";
import type { State } from "../../session/state/state.ts";
import { memoryStore } from "../../store/memory.ts";
import { CommitFeed } from "../../journal/commit-feed.ts";
import { follow } from "../../journal/follow.ts";
import type { SessionCommits, Sessions } from "./session-journal.ts";
import type { Store } from "../ports/store.ts";

const LONG = "x".repeat(200_000);

test("[API-43] for a client that does not read a few megabytes wait at most; the rest is read from the journal again", async () => {
  const journal: Event[] = [];
  let reads = 0;
  const store: Store = {
    ...memoryStore(),
    events: async (_, after, limit) => {
      reads += 1;
      return journal.slice(after, after + limit);
    },
  };
  const commits = new CommitFeed<Sessions>();
  const story = new Story().up().queue(1).deliver(1);
  const commit = (): void => {
    const events = story.events.slice(journal.length);
    const after = story.state;
    journal.push(...events);
    commits.publish(committed(events, after));
  };
  commit();
  await using follower = new Follower(store, commits);
  await follower.take();

  // Whoever reads is told what happens, and nothing is read from the journal for it.
  const tellWhileReading = async (): Promise<void> => {
    const taken = follower.take();
    story.say("few words");
    commit();
    await taken;
  };
  await tellWhileReading();
  const before = reads;
  await tellWhileReading();
  assert.equal(reads, before);

  for (let n = 0; n < 50; n += 1) {
    story.say(LONG);
    commit();
  }
  while (follower.seen.length < journal.length) await follower.take();
  assert.ok(reads > before);
  assert.deepEqual(
    follower.seen,
    journal.map(({ seq }) => seq),
  );
});

test("[REC-41] [P2] events that nobody told of are read from the journal when later ones are told", async () => {
  const story = new Story().up().queue(1).deliver(1);
  const store: Store = {
    ...memoryStore(),
    events: async (_, after, limit) =>
      story.events.slice(after, Math.min(after + limit, written)),
  };
  let written = story.events.length;
  const commits = new CommitFeed<Sessions>();
  await using follower = new Follower(store, commits);
  await follower.take();
  const taken = follower.take();
  story.say("nobody is told this").say("but this");
  written = story.events.length;
  const after = story.state;
  const events = story.events.slice(-1);
  commits.publish(committed(events, after));
  await taken;
  assert.deepEqual(
    follower.seen,
    story.events.map(({ seq }) => seq),
  );
});

/** A client that follows from the first event and notes the number of each event it gets. */
class Follower {
  readonly seen: number[] = [];
  readonly #stop = new AbortController();
  readonly #feed: AsyncGenerator<readonly Event[]>;

  constructor({ events }: Store, commits: SessionCommits) {
    const source = {
      commits,
      events,
      lengthOf: (event: Event) => eventJson(event).length,
    };
    this.#feed = follow<Sessions>(source, SESSION, 0, this.#stop.signal);
  }

  /** Waits for the next events. */
  async take(): Promise<void> {
    const { value } = await this.#feed.next();
    for (const { seq } of value ?? []) this.seen.push(seq);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#feed.return(undefined);
  }
}

const committed = (events: readonly Event[], after: State) => ({
  id: SESSION,
  events,
  before: null,
  after,
  derived: derivedBy(events, null, after, after.times.newest_at),
});
