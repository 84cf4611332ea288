import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/id.ts";
import { intend } from "../intend.ts";
import { askItem, execution, refusal, Story } from "../testing.ts";

test("[SES-16] [P5] a permission is answered once, with one of its options", () => {
  const story = new Story().up().queue(1).deliver(1);
  const id = permissionId(1, 10);
  story.report(askItem(id, story.words(5)));
  story.when({
    type: "permission.answer",
    permission_id: id,
    option_id: "maybe",
  });
  assert.equal(refusal(story), "unknown_option");
  story.then({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
  assert.deepEqual(intend(story.state), [
    {
      kind: "answer",
      execution_id: execution(1),
      epoch: 1,
      permission_id: id,
      option_id: "yes",
    },
  ]);
  story.then({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
  story.when({ type: "permission.answer", permission_id: id, option_id: "no" });
  assert.equal(refusal(story), "permission_closed");
  story.report({ kind: "answer_delivered", range: null, permission_id: id });
  assert.deepEqual(intend(story.state), []);
  // The same answer again is no error, also when the agent has it.
  story.then({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
  story.when({ type: "permission.answer", permission_id: id, option_id: "no" });
  assert.equal(refusal(story), "permission_closed");
  story.when({
    type: "permission.answer",
    permission_id: permissionId(9, 9),
    option_id: "yes",
  });
  assert.equal(refusal(story), "permission_not_found");
});

test("[SES-17] cancelling a turn closes its permissions and is told to the agent after the prompt is", () => {
  const story = new Story().up().queue(1);
  story.then({ type: "turn.cancel" });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["deliver"],
  );
  story.deliver(1);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["cancel"],
  );
  story.endTurn(1, "cancelled");
  assert.equal(story.last("session.turn.ended").outcome, "cancelled");
});
