import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/base/id.ts";
import {
  begun,
  marksIn,
  NATIVE,
  rewind,
  turns,
} from "../fixtures/line-stories.ts";
import { askItem, type Story } from "../testing.ts";
import { viewOf } from "../view/view.ts";

/** When the newest event of a type happened. */
const timeOf = (story: Story, type: string): string | undefined =>
  story.events.findLast((event) => event.type === type)?.at;

test("[SES-181] a break says when the agent died, and when it was back", () => {
  const story = turns(1).die();
  const died = timeOf(story, "session.execution.ended");
  assert.partialDeepStrictEqual(marksIn(story).at(-1), {
    kind: "break",
    at: died,
    resumed_at: null,
  });
  story.queue(2).begin().ready(NATIVE);
  assert.partialDeepStrictEqual(marksIn(story).at(-2), {
    kind: "break",
    at: died,
    resumed_at: timeOf(story, "session.resumed"),
  });
});

test("[SES-181] a pause, a turn, a rewind and an end say when they were", () => {
  const story = turns(1, 2);
  story.given({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  assert.partialDeepStrictEqual(marksIn(story).at(-1), {
    kind: "rest",
    at: timeOf(story, "session.state_changed"),
    resumed_at: null,
  });
  assert.equal(
    marksIn(story).at(-2)?.at,
    timeOf(story, "session.turn.started"),
  );
  rewind(story, 1, true);
  assert.equal(marksIn(story).at(-1)?.at, timeOf(story, "session.rewound"));
  story.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  assert.equal(marksIn(story).at(-1)?.at, timeOf(story, "session.ended"));
});

test("[SES-182] a question that waits says since when", () => {
  const story = begun().queue(1).deliver(1);
  story.report(askItem(permissionId(1, 1), story.words(2)));
  assert.deepEqual(
    viewOf(story.state).pending_permissions.map(({ asked_at }) => asked_at),
    [timeOf(story, "session.permission.requested")],
  );
});
