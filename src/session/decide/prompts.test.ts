import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "../intend.ts";
import { prompt, refusal, Story } from "../testing.ts";

test("[SES-6] prompts become turns one at a time, in order", () => {
  const story = new Story().up().queue(1).queue(2).queue(3);
  assert.deepEqual(
    story.state.prompts.queue.map(({ id }) => id),
    [prompt(2), prompt(3)],
  );
  story.deliver(1).endTurn(1);
  assert.equal(
    story.state.lifecycle.name === "RUNNING" &&
      story.state.lifecycle.turn.prompt_id,
    prompt(2),
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
  story.when({
    type: "prompt.queue",
    prompt_id: prompt(101),
    content: [{ type: "text", text: "x" }],
  });
  assert.equal(refusal(story), "queue_full");
  assert.equal(story.events.length, before);
});

test("[SES-7] a prompt brings a paused session's agent back", () => {
  const story = new Story()
    .up()
    .after({ type: "session.pause", reason: "paused" });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  assert.equal(
    story.name,
    "WAITING_FOR_INPUT",
    "not paused before the agent is gone",
  );
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
  story.queue(1);
  assert.equal(story.name, "STARTING");
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.last("session.resumed").resume.grade, "native");
  assert.equal(story.name, "RUNNING");
});

test("[SES-8] the agent dies: what it had taken is interrupted and not queued again", () => {
  const story = new Story().up().queue(1).deliver(1).say("half").die();
  assert.equal(story.last("session.turn.interrupted").prompt_id, prompt(1));
  assert.equal(story.name, "WAITING_FOR_INPUT");
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
      not_before: null,
    },
  ]);
  assert.deepEqual(intend(story.state), []);
});

test("[SES-8] [P7] what the agent provably never took is handed over again, once shown", () => {
  const story = new Story()
    .up()
    .queue(1)
    .die([prompt(1)]);
  assert.equal(story.name, "STARTING");
  story.begin().ready({ opened: "resumed", verified: true });
  const { lifecycle } = story.state;
  assert.ok(
    lifecycle.name === "RUNNING" &&
      lifecycle.turn.prompt_id === prompt(1) &&
      lifecycle.turn.number === 1,
  );
  assert.equal(
    story.types().filter((type) => type === "session.message.added").length,
    1,
  );
});

test("[SES-8] [P7] without evidence a prompt is uncertain and waits for a decision", () => {
  const story = new Story().up().queue(1);
  story.after({ type: "execution.lose", epoch: 1 });
  assert.equal(story.last("session.prompt.uncertain").prompt_id, prompt(1));
  assert.equal(story.name, "WAITING_FOR_INPUT");
  story.after({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "resend",
    by: { prompt_id: prompt(2), content: [{ type: "text", text: "again" }] },
  });
  assert.equal(story.name, "STARTING");
  assert.deepEqual(
    story.state.prompts.queue.map(({ id }) => id),
    [prompt(2)],
  );
});

test("[SES-9] a prompt is resolved once, and only when it waits for a decision", () => {
  const story = new Story().up().queue(1).deliver(1).die();
  story.after({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  });
  assert.deepEqual(story.state.prompts.unresolved, []);
  story.when({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  });
  assert.equal(refusal(story), "wrong_state");
});

test("[SES-9] only a prompt that waits can be cancelled", () => {
  const story = new Story().up().queue(1).queue(2);
  story.after({ type: "prompt.cancel", prompt_id: prompt(2) });
  assert.deepEqual(story.state.prompts.queue, []);
  story.when({ type: "prompt.cancel", prompt_id: prompt(1) });
  assert.equal(refusal(story), "wrong_state");
});

test("[SES-10] a prompt nobody takes stops in ERROR and stays queued", () => {
  const story = new Story().up().queue(1);
  for (let n = 0; n < 2; n++)
    story
      .die([prompt(1)])
      .begin()
      .ready({ opened: "resumed", verified: true });
  story.die([prompt(1)]);
  assert.equal(story.name, "ERROR");
  assert.deepEqual(
    story.state.prompts.queue.map(({ id }) => id),
    [prompt(1)],
  );
});

test("[SES-8] a turn that was to be cancelled and was never taken is cancelled, not handed over again", () => {
  const story = new Story().up().queue(1).after({ type: "turn.cancel" }).die();
  assert.equal(story.last("session.turn.ended").outcome, "cancelled");
  assert.deepEqual(story.state.prompts.queue, []);
  assert.equal(story.name, "WAITING_FOR_INPUT");
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
  resolve(30);
  assert.equal(refusal(story), "wrong_state");
  assert.equal(resolve(31).kind, "events");
});
