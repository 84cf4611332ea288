import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "./testing.ts";

const PAUSE = { type: "session.pause", reason: "paused" } as const;

test("a story compares the events of the newest command, their order and what is said of their data", () => {
  const story = new Story().up().when(PAUSE);
  story.thenEvents({
    type: "session.execution.stopping",
    data: { reason: "paused" },
  });
  for (const wrong of [
    () => story.thenEvents(),
    () => story.thenEvents("session.turn.started"),
    () =>
      story.thenEvents({
        type: "session.execution.stopping",
        data: { reason: "idle" },
      }),
    () => story.thenRefused("wrong_state"),
    () => story.given({ type: "turn.cancel" }),
  ])
    assert.throws(wrong, assert.AssertionError);
  story.when({ type: "turn.cancel" }).thenRefused("wrong_state", /No turn/);
});

test("a story is not taken for a promise", () => {
  assert.equal("then" in new Story(), false);
});
