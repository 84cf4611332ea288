import assert from "node:assert/strict";
import { test } from "node:test";
import { Session } from "../../contract/session/session.ts";
import { begun } from "../fixtures/line-stories.ts";
import type { Story } from "../testing.ts";
import { listedViewOf } from "./listed-view.ts";
import { viewOf } from "./view.ts";

const first = (story: Story) => {
  const [found] = Session.parse(viewOf(story.state)).unresolved_prompts;
  assert.deepEqual(listedViewOf(story.state).unresolved_prompts[0], found);
  return [found?.state, found?.text, found?.why];
};

test("[SES-180] a turn that was cut off says why, how the agent ended, and what it was asked", () => {
  const story = begun().queue(1, "sort the list").deliver(1);
  story.die([], { kind: "exited", code: 3 });
  const reason = "The agent exited with code 3.";
  const ending = { kind: "exited", code: 3 };
  assert.deepEqual(first(story), [
    "interrupted",
    "sort the list",
    { code: "agent_died", reason, ending },
  ]);
});

test("[SES-180] so does a prompt of which nobody knows whether the agent took it", () => {
  const story = begun().queue(1, "x".repeat(300));
  story.given({ type: "execution.lose", epoch: 1 });
  assert.deepEqual(first(story), [
    "uncertain",
    "x".repeat(200),
    {
      code: "agent_died",
      reason: "The agent vanished.",
      ending: { kind: "vanished" },
    },
  ]);
});

test("[SES-180] a quota cuts a turn off, and the agent has not ended; what ends it later is no reason", () => {
  const story = begun().queue(1).deliver(1).useUp(1).captured(2);
  const [state, , why] = first(story);
  assert.equal(state, "interrupted");
  assert.partialDeepStrictEqual(why, { code: "quota", ending: null });
  story.die();
  assert.deepEqual(first(story)[2], why);
});

test("[SES-180] a pause is told as one", () => {
  const story = begun().queue(1).deliver(1);
  story.given({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  assert.deepEqual(first(story)[2], {
    code: "paused",
    reason: "The session was paused.",
    ending: { kind: "stopped" },
  });
});
