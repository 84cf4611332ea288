import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "../intend.ts";
import { prompt, Story } from "../testing.ts";

test("[SES-6] prompts become turns one at a time, in order", () => {
  const story = new Story().up().queue(1).queue(2).queue(3);
  story.thenEvents("session.prompt.queued");
  assert.equal(story.last("session.turn.started").prompt_id, prompt(1));
  story
    .deliver(1)
    .endTurn(1)
    .thenEvents(
      "session.turn.ended",
      "session.state_changed",
      { type: "session.turn.started", data: { prompt_id: prompt(2) } },
      "session.message.added",
      { type: "session.state_changed", data: { to: "RUNNING" } },
    );
  story.deliver(2).endTurn(2).deliver(3).endTurn(3);
  assert.deepEqual(
    story.events.flatMap((e) =>
      e.type === "session.turn.started"
        ? [[e.data.turn, e.data.prompt_id]]
        : [],
    ),
    [
      [1, prompt(1)],
      [2, prompt(2)],
      [3, prompt(3)],
    ],
  );
});

test("[SES-5] a full queue is refused before anything is written", () => {
  const story = new Story();
  for (let n = 1; n <= 100; n++) story.queue(n);
  const before = story.events.length;
  story
    .when({
      type: "prompt.queue",
      prompt_id: prompt(101),
      content: [{ type: "text", text: "x" }],
    })
    .thenRefused("queue_full");
  assert.equal(story.events.length, before);
});

test("[SES-7] a prompt brings a paused session's agent back", () => {
  const story = new Story().up();
  story
    .when({ type: "session.pause", reason: "paused" })
    // Not paused before the agent is gone.
    .thenEvents("session.execution.stopping");
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story
    .die([], { kind: "stopped" })
    .thenEvents("session.execution.ended", {
      type: "session.state_changed",
      data: { from: "WAITING_FOR_INPUT", to: "PAUSED" },
    })
    .queue(1)
    .thenEvents(
      "session.prompt.queued",
      "session.resume.requested",
      { type: "session.state_changed", data: { to: "STARTING" } },
      "session.agentctl_starting",
    );
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.last("session.resumed").resume.grade, "native");
  assert.equal(story.name, "RUNNING");
});

test("[SES-8] the agent dies: what it had taken is interrupted and not queued again", () => {
  const story = new Story().up().queue(1).deliver(1).say("half").die();
  story.thenEvents(
    { type: "session.turn.interrupted", data: { prompt_id: prompt(1) } },
    "session.execution.ended",
    { type: "session.state_changed", data: { to: "WAITING_FOR_INPUT" } },
  );
  assert.deepEqual(story.state.prompts.queue, []);
  const { seq } = story.events.find(
    ({ type }) => type === "session.prompt.queued",
  ) ?? { seq: 0 };
  assert.deepEqual(story.state.prompts.unresolved, [
    {
      id: prompt(1),
      turn: 1,
      kind: "interrupted",
      content_seq: seq,
      about_seq: seq,
      agent: "demo",
      tool_calls: 0,
      by_quota: false,
      not_before: null,
      text: "prompt 1",
      why: {
        code: "agent_died",
        reason: "The agent was killed by SIGKILL.",
        ending: { kind: "killed", signal: "SIGKILL" },
      },
    },
  ]);
  assert.deepEqual(intend(story.state), []);
});

test("[SES-8] [P7] what the agent provably never took is handed over again, once shown", () => {
  const story = new Story()
    .up()
    .queue(1)
    .die([prompt(1)]);
  story.thenEvents(
    {
      type: "session.prompt.requeued",
      data: { prompt_id: prompt(1), turn: 1 },
    },
    "session.execution.ended",
    { type: "session.state_changed", data: { to: "WAITING_FOR_INPUT" } },
    "session.resume.requested",
    { type: "session.state_changed", data: { to: "STARTING" } },
    "session.agentctl_starting",
  );
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.name, "RUNNING");
  assert.deepEqual(story.last("session.turn.started"), {
    turn: 1,
    prompt_id: prompt(1),
    epoch: 2,
  });
  assert.equal(
    story.types().filter((type) => type === "session.message.added").length,
    1,
  );
});

test("[SES-8] [P7] without evidence a prompt is uncertain and waits for a decision", () => {
  const story = new Story().up().queue(1);
  story
    .when({ type: "execution.lose", epoch: 1 })
    .thenEvents(
      { type: "session.prompt.uncertain", data: { prompt_id: prompt(1) } },
      "session.execution.ended",
      { type: "session.state_changed", data: { to: "WAITING_FOR_INPUT" } },
    )
    .when({
      type: "prompt.resolve",
      prompt_id: prompt(1),
      action: "resend",
      by: { prompt_id: prompt(2), content: [{ type: "text", text: "again" }] },
    })
    .thenEvents(
      {
        type: "session.prompt.resolved",
        data: { prompt_id: prompt(1), by: prompt(2) },
      },
      { type: "session.prompt.queued", data: { prompt_id: prompt(2) } },
      "session.resume.requested",
      { type: "session.state_changed", data: { to: "STARTING" } },
      "session.agentctl_starting",
    );
});

test("[SES-9] a prompt is resolved once, and only when it waits for a decision", () => {
  const story = new Story().up().queue(1).deliver(1).die();
  const drop = {
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  } as const;
  story
    .when(drop)
    .thenEvents("session.prompt.resolved")
    .when(drop)
    .thenRefused("wrong_state", /not waiting for a decision/);
  assert.deepEqual(story.state.prompts.unresolved, []);
});

test("[SES-9] only a prompt that waits can be cancelled", () => {
  const story = new Story().up().queue(1).queue(2);
  story
    .when({ type: "prompt.cancel", prompt_id: prompt(2) })
    .thenEvents("session.prompt.cancelled")
    .when({ type: "prompt.cancel", prompt_id: prompt(1) })
    .thenRefused("wrong_state");
  assert.deepEqual(story.state.prompts.queue, []);
});

test("[SES-10] a prompt nobody takes stops in ERROR and stays queued", () => {
  const story = new Story().up().queue(1);
  for (let n = 0; n < 2; n++)
    story
      .die([prompt(1)])
      .begin()
      .ready({ opened: "resumed", verified: true });
  story
    .die([prompt(1)])
    .thenEvents(
      { type: "session.prompt.requeued", data: { prompt_id: prompt(1) } },
      "session.execution.ended",
      { type: "session.state_changed", data: { to: "ERROR" } },
    );
});

test("[SES-8] a turn that was to be cancelled and was never taken is cancelled, not handed over again", () => {
  const story = new Story().up().queue(1).given({ type: "turn.cancel" }).die();
  story.thenEvents(
    { type: "session.turn.ended", data: { outcome: "cancelled" } },
    "session.execution.ended",
    { type: "session.state_changed", data: { to: "WAITING_FOR_INPUT" } },
  );
  assert.deepEqual(story.state.prompts.queue, []);
});

test("[SES-34] of the prompts that wait for a decision the newest hundred are known", () => {
  const story = new Story();
  for (let n = 1; n <= 130; n += 1)
    story
      .queue(n)
      .begin(n)
      .ready({ opened: "resumed", verified: true })
      .deliver(n)
      .die();
  const { unresolved } = story.state.prompts;
  assert.equal(unresolved.length, 100);
  assert.deepEqual(
    [unresolved[0]?.id, unresolved.at(-1)?.id],
    [prompt(31), prompt(130)],
  );
  const resolve = (n: number) =>
    story.when({
      type: "prompt.resolve",
      prompt_id: prompt(n),
      action: "drop",
      by: null,
    });
  resolve(30).thenRefused("wrong_state");
  resolve(31).thenEvents("session.prompt.resolved");
});
