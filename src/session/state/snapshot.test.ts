import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../contract/event/event.ts";
import { evolve } from "../evolve/evolve.ts";
import {
  missingContents,
  readState,
  withContents,
  writeState,
} from "./snapshot.ts";
import type { State } from "./state.ts";
import { prompt, Story } from "../testing.ts";

const LONG = "x".repeat(60_000);

/** Folded from the snapshot that was taken after so many events. */
const folded = (events: readonly Event[], taken: number): State => {
  const before = events.slice(0, taken).reduce<State | null>(evolve, null);
  assert.ok(before !== null);
  const read = readState(writeState(before));
  const state = events.slice(taken).reduce<State>(evolve, read);
  const named = new Set(missingContents(state, read.seq));
  const contents = events.filter(({ seq }) => named.has(seq));
  return withContents(state, read.seq, contents);
};

test("[STO-40] a snapshot holds no text of prompts that wait, nor of the one that is on its way", () => {
  const story = new Story().up();
  for (let n = 1; n <= 100; n += 1)
    story.when({
      type: "prompt.queue",
      prompt_id: prompt(n),
      content: [{ type: "text", text: LONG }],
    });
  assert.equal(story.name, "RUNNING");
  assert.equal(story.state.prompts.queue.length, 99);
  const size = writeState(story.state).length;
  assert.ok(size < 64 * 1024, `${size} characters`);
});

test("[STO-40] whatever snapshot it was folded from, the state is the same", () => {
  const story = new Story().up().queue(1, "one").queue(2, "two").queue(3, "3");
  story
    .die([prompt(1)])
    .begin()
    .ready()
    .deliver(1)
    .endTurn(1);
  story.given({ type: "prompt.cancel", prompt_id: prompt(3) });
  const whole = JSON.parse(JSON.stringify(story.state));
  for (let taken = 1; taken <= story.events.length; taken += 1)
    assert.deepEqual(
      JSON.parse(JSON.stringify(folded(story.events, taken))),
      whole,
      `after event ${taken}`,
    );
  assert.match(JSON.stringify(whole), /two/);
});

test("[STO-40] a prompt is never delivered empty because the event with its text was not read", () => {
  const { state } = new Story().up().queue(1, "one").queue(2, "two");
  const read = readState(writeState(state));
  assert.throws(() => withContents(read, read.seq, []), /was not read/);
});
