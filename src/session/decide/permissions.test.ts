import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/id.ts";
import type { Permission } from "../../contract/permission.ts";
import type { Command } from "../command.ts";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import { MAX_PENDING } from "../permissions.ts";
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
  const known: Permission = {
    ...story.last("session.permission.requested").permission,
    state: "answered",
    option_id: "yes",
  };
  const answer = (option_id: string): Command => ({
    type: "permission.answer",
    permission_id: id,
    option_id,
    known,
  });
  story.then(answer("yes"));
  story.when(answer("no"));
  assert.equal(refusal(story), "permission_closed");
  story.report({ kind: "answer_delivered", range: null, permission_id: id });
  assert.deepEqual(intend(story.state), []);
  // The same answer again is no error, also when the agent has it.
  story.then(answer("yes"));
  story.when(answer("no"));
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

test("[SES-36] [P5] beyond a hundred that wait, a request is closed with a reason and the agent is told", () => {
  const story = new Story().up().queue(1).deliver(1);
  const ask = (n: number) =>
    story.report(askItem(permissionId(1, 1000 + n), story.words(2)));
  for (let n = 1; n <= MAX_PENDING; n += 1) ask(n);
  assert.equal(story.state.permissions.length, MAX_PENDING);
  ask(0);
  assert.equal(story.state.permissions.length, MAX_PENDING);
  const id = permissionId(1, 1000);
  assert.deepEqual(story.last("session.permission.closed"), {
    id,
    reason: "too_many",
  });
  const told = intend(story.state).filter(({ kind }) => kind === "answer");
  assert.deepEqual(
    told.map((intent) => intent.kind === "answer" && intent.option_id),
    [null],
  );
  story.when({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
    known: {
      ...story.last("session.permission.requested").permission,
      state: "closed",
      reason: "too_many",
    },
  });
  assert.equal(refusal(story), "permission_closed");
  story.report({ kind: "answer_delivered", range: null, permission_id: id });
  assert.deepEqual(
    intend(story.state).filter(({ kind }) => kind === "answer"),
    [],
  );
  // There is room again as soon as one of them has its answer.
  story.then({
    type: "permission.answer",
    permission_id: permissionId(1, 1001),
    option_id: "yes",
  });
  ask(500);
  assert.equal(story.state.permissions.at(-1)?.id, permissionId(1, 1500));
  checkInvariants(story.events);
});

test("[SES-16] [SES-34] answers that the agent has not got are handed over a few at a time, each until it is delivered", () => {
  const story = new Story().up().queue(1).deliver(1);
  for (let n = 1; n <= 40; n += 1) {
    const id = permissionId(1, n);
    story.report(askItem(id, story.words(2)));
    story.then({
      type: "permission.answer",
      permission_id: id,
      option_id: "yes",
    });
  }
  const delivered = new Set<string>();
  for (;;) {
    const next = intend(story.state).find(({ kind }) => kind === "answer");
    if (next?.kind !== "answer") break;
    const { permission_id } = next;
    delivered.add(permission_id);
    story.report({ kind: "answer_delivered", range: null, permission_id });
  }
  assert.equal(delivered.size, 40);
});
