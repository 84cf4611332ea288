import assert from "node:assert/strict";
import { test } from "node:test";
import { executorChange } from "./executor-row.ts";
import { Story } from "./testing.ts";

test("[SES-33] an executor's row is written when it says something new, and every ten seconds while the agent speaks", () => {
  const story = new Story().up().queue(1).deliver(1).say("a");
  const before = story.state;
  const after = story.say("b").state;
  assert.equal(executorChange(before, after, before.last_active_at), null);
  const later = "2026-01-01T00:00:10.000Z";
  assert.equal(executorChange(before, after, later)?.last_seen_at, later);

  const ended = story.die().state;
  const stopped = executorChange(after, ended, after.last_active_at);
  assert.equal(stopped?.status, "stopped");
  assert.equal(executorChange(ended, story.state, later), null, "it rests");

  const starting = story.queue(2).state;
  const begun = executorChange(starting, story.begin().state, later);
  assert.equal(begun?.epoch, 2, "another execution, though it starts as well");
});
