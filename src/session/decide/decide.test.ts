import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/id.ts";
import { StateName, isTerminal } from "../../contract/state.ts";
import { intend } from "../intend.ts";
import { table } from "../table.ts";
import { Story, abilities, askItem, execution, prompt } from "../testing.ts";

const refusal = (story: Story): string => {
  const decision = story.decisions.at(-1);
  return decision?.kind === "refused"
    ? decision.code
    : `not refused: ${decision?.kind}`;
};

test("[SES-2] every state has a verdict for every command, and terminal states refuse callers", () => {
  for (const state of StateName.options) {
    for (const [command, verdict] of Object.entries(table[state])) {
      assert.match(verdict, /^(accept|ignore|wrong_state|session_ended)$/);
      const fromCaller =
        /^(prompt|turn|permission)\.|^session\.(pause|resume|end)$/.test(
          command,
        );
      if (fromCaller)
        assert.equal(
          verdict === "session_ended",
          isTerminal(state),
          `${state} ${command}`,
        );
    }
  }
});

test("a session starts its agent at once and works on its first prompt", () => {
  const story = new Story({
    prompt: {
      prompt_id: prompt(1),
      content: [{ type: "text", text: "hello" }],
    },
  });
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
  story.begin();
  assert.deepEqual(intend(story.state), [
    { kind: "launch", execution_id: execution(1), epoch: 1 },
  ]);
  story.ready();
  assert.deepEqual(story.path(), ["STARTING", "WAITING_FOR_INPUT", "RUNNING"]);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["deliver"],
  );
  story.deliver(1).say("hi").say(" there").endTurn(1);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(story.state.turns_over, 1);
  assert.equal(story.state.last_words, "hi there");
  assert.equal(
    story.types().filter((type) => type === "session.resumed").length,
    0,
  );
  assert.deepEqual(intend(story.state), []);
});

test("[SES-6] prompts become turns one at a time, in order", () => {
  const story = new Story().up().queue(1).queue(2).queue(3);
  assert.deepEqual(
    story.state.queue.map(({ id }) => id),
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
    .then({ type: "session.pause", reason: "paused" });
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

test("[SES-15] a prompt that comes while the agent is being stopped brings it back afterwards", () => {
  const story = new Story()
    .up()
    .then({ type: "session.pause", reason: "idle" })
    .queue(1);
  story.die([], { kind: "stopped" });
  assert.deepEqual(story.path().slice(-2), ["PAUSED", "STARTING"]);
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
});

test("[SES-15] a second pause takes back the wish to bring the agent back", () => {
  const story = new Story()
    .up()
    .then({ type: "session.pause", reason: "paused" });
  story
    .then({ type: "session.resume", trigger: "request" })
    .then({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
});

test("[SES-8] the agent dies: what it had taken is interrupted and not queued again", () => {
  const story = new Story().up().queue(1).deliver(1).say("half").die();
  assert.equal(story.last("session.turn.interrupted").prompt_id, prompt(1));
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(story.state.queue, []);
  assert.deepEqual(story.state.unresolved, [
    { id: prompt(1), turn: 1, kind: "interrupted" },
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
  const story = new Story().up().queue(1).die([]);
  assert.equal(story.last("session.prompt.uncertain").prompt_id, prompt(1));
  assert.equal(story.name, "WAITING_FOR_INPUT");
  story.then({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "resend",
    by: { prompt_id: prompt(2), content: [{ type: "text", text: "again" }] },
  });
  assert.equal(story.name, "STARTING");
  assert.deepEqual(
    story.state.queue.map(({ id }) => id),
    [prompt(2)],
  );
});

test("[SES-9] a prompt is resolved once, and only when it waits for a decision", () => {
  const story = new Story().up().queue(1).deliver(1).die();
  story.then({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  });
  assert.deepEqual(story.state.unresolved, []);
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
  story.then({ type: "prompt.cancel", prompt_id: prompt(2) });
  assert.deepEqual(story.state.queue, []);
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
    story.state.queue.map(({ id }) => id),
    [prompt(1)],
  );
});

test("[SES-12] [P4] a report of an older execution changes nothing", () => {
  const story = new Story().up().die([], { kind: "exited", code: 0 });
  story
    .then({ type: "session.resume", trigger: "request" })
    .begin()
    .ready({ opened: "resumed", verified: true });
  const before = story.events.length;
  story.then({
    type: "execution.report",
    epoch: 1,
    items: [
      {
        kind: "text",
        role: "agent",
        text: "ghost",
        range: { from: 10, to: 15 },
      },
    ],
  });
  story.then({
    type: "execution.report",
    epoch: 1,
    items: [
      {
        kind: "ended",
        range: null,
        ending: { kind: "stopped" },
        not_taken: [],
        stderr_tail: "",
      },
    ],
  });
  assert.equal(story.events.length, before);
});

test("[SES-13] [P2] bytes are taken in once, and a gap is refused with the expected offset", () => {
  const story = new Story().up().queue(1).deliver(1).say("abc");
  const offset = story.state.execution?.offset ?? 0;
  const before = story.events.length;
  story.report({
    kind: "text",
    role: "agent",
    text: "abc",
    range: { from: offset - 3, to: offset },
  });
  assert.equal(story.events.length, before, "known bytes are skipped");
  const decision = story.when({
    type: "execution.report",
    epoch: 1,
    items: [
      {
        kind: "text",
        role: "agent",
        text: "d",
        range: { from: offset + 1, to: offset + 2 },
      },
    ],
  });
  assert.deepEqual(decision, { kind: "output_gap", expected: offset });
});

test("[SES-14] what a dead agent left open is closed: permission, tool call, turn", () => {
  const story = new Story().up().queue(1).deliver(1);
  story.report({
    kind: "tool",
    tool: { id: "t1", title: "Write", status: "in_progress" },
    range: story.words(5),
  });
  story.report(askItem(permissionId(1, 15), story.words(5)));
  story.die();
  assert.equal(story.last("session.permission.closed").reason, "agent_died");
  assert.equal(story.last("session.tool.updated").tool.status, "interrupted");
  const order = story.types().slice(-5);
  assert.deepEqual(order, [
    "session.permission.closed",
    "session.tool.updated",
    "session.turn.interrupted",
    "session.execution.ended",
    "session.state_changed",
  ]);
});

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
  story.when({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
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

test("[SES-4] an ended session refuses everything a caller asks", () => {
  const story = new Story().up().queue(1).deliver(1).queue(2);
  story.then({
    type: "session.end",
    outcome: "cancelled",
    reason: "requested",
  });
  assert.equal(story.name, "CANCELLED");
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story.when({
    type: "prompt.queue",
    prompt_id: prompt(3),
    content: [{ type: "text", text: "x" }],
  });
  assert.equal(refusal(story), "session_ended");
  story.when({ type: "session.resume", trigger: "request" });
  assert.equal(refusal(story), "session_ended");
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "CANCELLED");
  assert.equal(story.state.execution, null);
});

test("[SES-21] [P9] a failed start is ERROR with its reason; prompts wait and a resume tries again", () => {
  const story = new Story({
    prompt: {
      prompt_id: prompt(1),
      content: [{ type: "text", text: "hello" }],
    },
  }).begin();
  story.report(
    {
      kind: "start_failed",
      range: null,
      failure: "agent_exited",
      message: "The agent exited.",
    },
    {
      kind: "ended",
      range: null,
      ending: { kind: "exited", code: 3 },
      not_taken: [],
      stderr_tail: "boom",
    },
  );
  assert.deepEqual(story.state.lifecycle, {
    name: "ERROR",
    message: "The agent exited.",
  });
  assert.equal(story.state.queue.length, 1);
  story.then({ type: "session.resume", trigger: "request" }).begin().ready();
  assert.equal(story.name, "RUNNING");
  assert.equal(
    story.state.resume,
    null,
    "the first time it comes up is a start, not a resume",
  );
});

test("[SES-21] a resume asked for while a failed start is still on its way out happens afterwards", () => {
  const story = new Story().begin();
  story.report({
    kind: "start_failed",
    range: null,
    failure: "agent_not_answering",
    message: "No answer.",
  });
  story.then({ type: "session.resume", trigger: "request" });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "STARTING");
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
});

test("[SES-21] agentctl cannot be reached: ERROR, and the reason is shown", () => {
  const story = new Story().then({
    type: "execution.fail",
    epoch: null,
    code: "agentctl_unavailable",
    message: "No agentctl.",
  });
  assert.equal(
    story.last("session.agentctl_error").code,
    "agentctl_unavailable",
  );
  assert.deepEqual(story.state.lifecycle, {
    name: "ERROR",
    message: "No agentctl.",
  });
});

test("[SES-18] a workspace that is gone, or an agent that is not installed, is told and retried on request", () => {
  for (const [report, words] of [
    [
      { agent: "gone", workspace: "missing", installed: true },
      /does not exist any more/,
    ],
    [{ agent: "gone", workspace: "other", installed: true }, /not a directory/],
    [
      { agent: "gone", workspace: "directory", installed: false },
      /not installed/,
    ],
  ] as const) {
    const story = new Story().then({
      type: "execution.begin",
      execution_id: execution(1),
      term: 1,
      report,
      agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
    });
    assert.ok(
      story.state.lifecycle.name === "ERROR" &&
        words.test(story.state.lifecycle.message),
    );
    assert.equal(story.state.execution, null);
  }
});

const resumedWith = (given: Parameters<Story["ready"]>[0]) => {
  const story = new Story().up().queue(1).deliver(1).endTurn(1);
  story
    .then({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });
  return story
    .then({ type: "session.resume", trigger: "request" })
    .begin()
    .ready(given);
};

test("[SES-19] [P6] a verified native resume is native and loses nothing", () => {
  const { resume } = resumedWith({ opened: "resumed", verified: true }).last(
    "session.resumed",
  );
  assert.deepEqual(
    [resume.grade, resume.strategy, resume.verified, resume.lost, resume.path],
    ["native", "native", true, null, "fast"],
  );
});

test("[SES-19] [SES-22] [P6] an unknown session becomes injected, the token is cleared, the user is told", () => {
  const story = resumedWith({
    opened: "new",
    native_session_id: "native-2",
    failed: { reason: "unknown_session", message: "session not found" },
  });
  assert.equal(story.last("session.token.cleared").token, "native-1");
  assert.equal(story.state.token, "native-2");
  assert.deepEqual(
    [story.state.resume?.grade, story.state.resume?.verified],
    ["injected", false],
  );
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(story.last("session.state_changed").reason, "unknown_token");
  assert.equal(story.last("session.notice").code, "context_lost");
});

test("[SES-19] [SES-22] [P6] an agent with neither ability starts fresh, says what was lost and leaves no token", () => {
  const neither = abilities({ resume: false, load: false, injection: false });
  const story = new Story({ abilities: neither })
    .begin()
    .ready({ abilities: neither })
    .queue(1)
    .deliver(1)
    .endTurn(1);
  story
    .then({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });
  story
    .then({ type: "session.resume", trigger: "request" })
    .begin()
    .ready({ abilities: neither });
  assert.equal(story.state.resume?.grade, "fresh");
  assert.match(story.state.resume?.lost ?? "", /1 turn/);
  assert.equal(story.state.token, null);
  assert.equal(story.state.inject, false);
});

test("[SES-20] history goes before the first prompt after the resume, once", () => {
  const story = resumedWith({
    opened: "new",
    failed: { reason: "transcript_damaged", message: "damaged" },
  });
  assert.equal(story.state.inject, true);
  assert.equal(
    story.state.token,
    "native-1",
    "the agent did not say it does not know the session",
  );
  story.queue(2);
  const first = intend(story.state)[0];
  assert.ok(first?.kind === "deliver" && first.inject);
  story.then({ type: "history.inject", prompt_id: prompt(2), text: "history" });
  story.deliver(2).endTurn(2).queue(3);
  const second = intend(story.state)[0];
  assert.ok(second?.kind === "deliver" && !second.inject);
});

test("[SES-23] asking again while it starts or runs adds nothing", () => {
  const story = new Story().begin();
  const before = story.events.length;
  story
    .then({ type: "session.resume", trigger: "request" })
    .then({ type: "session.resume", trigger: "request" });
  assert.equal(story.events.length, before);
  story.ready();
  const up = story.events.length;
  story.then({ type: "session.resume", trigger: "request" });
  assert.equal(story.events.length, up);
});

test("[P10] an execution that is provably gone is let go, whatever state it left behind", () => {
  const story = new Story().up().queue(1).deliver(1);
  story.then({
    type: "session.recover",
    report: { agent: "gone", workspace: "directory", installed: true },
  });
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(story.state.execution, null);
  assert.equal(story.last("session.execution.ended").ending.kind, "vanished");
});
