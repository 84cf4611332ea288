import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import { prompt, Story } from "../testing.ts";

const failing = (): Story =>
  new Story()
    .up()
    .queue(1)
    .given({
      type: "delivery.fail",
      prompt_id: prompt(1),
      message: "it is too long",
    });

test("[SES-37] [P10] a prompt that cannot be delivered ends in ERROR with the reason, once its agent is gone; the prompt waits", () => {
  const story = failing();
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story.die([prompt(1)]).thenEvents(
    {
      type: "session.prompt.requeued",
      data: { prompt_id: prompt(1), turn: 1 },
    },
    "session.execution.ended",
    {
      type: "session.state_changed",
      data: {
        to: "ERROR",
        reason: "delivery_failed",
        message: "it is too long",
      },
    },
  );
  checkInvariants(story.events);

  // It can be tried again, and it can be given up.
  story.given({ type: "session.resume", trigger: "request" });
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.name, "RUNNING");
  story.given({
    type: "delivery.fail",
    prompt_id: prompt(1),
    message: "it is still too long",
  });
  story.die([prompt(1)]);
  assert.equal(story.name, "ERROR");
  story
    .when({ type: "prompt.cancel", prompt_id: prompt(1) })
    .thenEvents("session.prompt.cancelled");
  assert.deepEqual(story.state.prompts.queue, []);
  checkInvariants(story.events);
});

test("[SES-37] [P7] an agent that had taken it after all was interrupted, and the prompt is not sent again", () => {
  const story = failing().deliver(1).say("I began").die();
  story.thenEvents(
    { type: "session.turn.interrupted", data: { prompt_id: prompt(1) } },
    "session.execution.ended",
    { type: "session.state_changed", data: { to: "WAITING_FOR_INPUT" } },
  );
  assert.deepEqual(story.state.prompts.queue, []);
  checkInvariants(story.events);
});

test("[SES-37] what is said of another prompt, or of one that was delivered, changes nothing", () => {
  const story = new Story().up().queue(1).queue(2);
  const fail = (n: number) =>
    story.when({ type: "delivery.fail", prompt_id: prompt(n), message: "no" });
  fail(2).thenEvents();
  story.deliver(1).thenEvents("session.prompt.delivered");
  fail(1).thenEvents();
});

test("[REC-33] [SES-8] [P7] a prompt goes back to the queue on agentctl's evidence; where its journal is damaged, that must name the prompt", () => {
  const ended = (overrides: {
    not_taken?: number[];
    journal_damaged?: true;
  }) => {
    const story = new Story().up().queue(1);
    story.report({
      kind: "ended",
      range: null,
      ending: { kind: "killed", signal: "SIGKILL" },
      stderr_tail: "",
      ...overrides,
      not_taken: (overrides.not_taken ?? []).map(prompt),
    });
    return story;
  };
  for (const story of [
    ended({ not_taken: [1] }),
    // It never came as far as agentctl.
    ended({}),
    ended({ not_taken: [1], journal_damaged: true }),
  ])
    story.thenEvents(
      {
        type: "session.prompt.requeued",
        data: { prompt_id: prompt(1), turn: 1 },
      },
      "session.execution.ended",
      "session.state_changed",
      "session.resume.requested",
      "session.state_changed",
      "session.agentctl_starting",
    );
  const story = ended({ journal_damaged: true }).thenEvents(
    { type: "session.prompt.uncertain", data: { prompt_id: prompt(1) } },
    "session.execution.ended",
    "session.state_changed",
  );
  assert.deepEqual(story.state.prompts.queue, []);
});

test("[SES-3] [SES-37] who asks while the agent of an undeliverable prompt is stopped gets the agent back, by way of waiting for input", () => {
  const story = failing()
    .queue(2)
    .die([prompt(1)]);
  assert.deepEqual(story.path().slice(-3), [
    "RUNNING",
    "WAITING_FOR_INPUT",
    "STARTING",
  ]);
  checkInvariants(story.events);
});
