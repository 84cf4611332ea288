import assert from "node:assert/strict";
import { test } from "node:test";
import { Story } from "../testing.ts";

test("[P2] after a reattach the agent says again that it is ready: nobody hears about it twice", () => {
  const story = new Story().queue(1).up().deliver(1);
  story.ready({ range: null }).thenEvents();
  assert.equal(story.name, "RUNNING");
});

test("[LNK-16] an agent that is being stopped and says again that it is ready leaves no trace", () => {
  const story = new Story()
    .up()
    .given({ type: "session.pause", reason: "paused" });
  story.ready({ range: null }).thenEvents();
});
