import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../contract/event.ts";
import { SESSION, Story } from "../../session/testing.ts";
import { viewOf } from "../../session/view/view.ts";
import { memoryStore } from "../../store/memory.ts";
import { CommitFeed } from "./commit-feed.ts";
import { follow } from "./follow.ts";
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
  const commits = new CommitFeed();
  const story = new Story().up().queue(1).deliver(1);
  const commit = (): void => {
    const events = story.events.slice(journal.length);
    const after = story.state;
    journal.push(...events);
    const view = viewOf(after);
    commits.publish({ session: SESSION, events, before: null, after, view });
  };
  commit();
  const stop = new AbortController();
  const feed = follow(store, commits, SESSION, 0, stop.signal);
  const seen: number[] = [];
  const take = async (): Promise<void> => {
    const { value } = await feed.next();
    for (const { seq } of value ?? []) seen.push(seq);
  };
  await take();

  // Whoever reads is told what happens, and nothing is read from the journal for it.
  const tellWhileReading = async (): Promise<void> => {
    const taken = take();
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
  while (seen.length < journal.length) await take();
  assert.ok(reads > before);
  assert.deepEqual(
    seen,
    journal.map(({ seq }) => seq),
  );
  stop.abort();
  await feed.return(undefined);
});

test("[REC-41] [P2] events that nobody told of are read from the journal when later ones are told", async () => {
  const story = new Story().up().queue(1).deliver(1);
  const store: Store = {
    ...memoryStore(),
    events: async (_, after, limit) =>
      story.events.slice(after, Math.min(after + limit, written)),
  };
  let written = story.events.length;
  const commits = new CommitFeed();
  const stop = new AbortController();
  const feed = follow(store, commits, SESSION, 0, stop.signal);
  const seen: number[] = [];
  const take = async (): Promise<void> => {
    const { value } = await feed.next();
    for (const { seq } of value ?? []) seen.push(seq);
  };
  await take();
  const taken = take();
  story.say("nobody is told this").say("but this");
  written = story.events.length;
  const after = story.state;
  const events = story.events.slice(-1);
  const view = viewOf(after);
  commits.publish({ session: SESSION, events, before: null, after, view });
  await taken;
  assert.deepEqual(
    seen,
    story.events.map(({ seq }) => seq),
  );
  stop.abort();
  await feed.return(undefined);
});
