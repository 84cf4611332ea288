import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/base/id.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import { intend } from "../intend.ts";
import { askItem, execution, prompt, Story } from "../testing.ts";

test("[SES-15] a prompt that comes while the agent is being stopped brings it back afterwards", () => {
  const story = new Story().up().given({ type: "session.rest" }).queue(1);
  story.die([], { kind: "stopped" });
  assert.deepEqual(story.path().slice(-2), ["PAUSED", "STARTING"]);
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
});

test("[SES-15] a second pause takes back the request to bring the agent back", () => {
  const story = new Story()
    .up()
    .given({ type: "session.pause", reason: "paused" });
  story
    .given({ type: "session.resume", trigger: "request" })
    .given({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
});

test("[SES-12] [P4] a report of an older execution changes nothing", () => {
  const story = new Story().up().die([], { kind: "exited", code: 0 });
  story
    .given({ type: "session.resume", trigger: "request" })
    .begin()
    .ready({ opened: "resumed", verified: true });
  const late = (item: ReportItem) =>
    story.when({ type: "execution.report", epoch: 1, items: [item] });
  late({
    kind: "text",
    role: "agent",
    text: "ghost",
    range: { from: 10, to: 15 },
  }).thenEvents();
  late({
    kind: "ended",
    range: null,
    ending: { kind: "stopped" },
    not_taken: [],
    stderr_tail: "",
  }).thenEvents();
});

test("[SES-13] [P2] bytes are taken in once, and a gap is refused with the expected offset", () => {
  const story = new Story().up().queue(1).deliver(1).say("abc");
  const offset = story.state.execution?.offset ?? 0;
  // Known bytes are skipped.
  story
    .report({
      kind: "text",
      role: "agent",
      text: "abc",
      range: { from: offset - 3, to: offset },
    })
    .thenEvents();
  story.when({
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
  assert.deepEqual(story.decision, { kind: "output_gap", expected: offset });
});

test("[SES-14] what a dead agent left open is closed: permission, tool call, turn", () => {
  const story = new Story().up().queue(1).deliver(1);
  story.report({
    kind: "tool",
    tool: { id: "t1", title: "Write", status: "in_progress" },
    range: story.words(5),
  });
  story.report(askItem(permissionId(1, 15), story.words(5)));
  story.die().thenEvents(
    { type: "session.permission.closed", data: { reason: "agent_died" } },
    {
      type: "session.tool.updated",
      data: { tool: { id: "t1", status: "interrupted" } },
    },
    "session.turn.interrupted",
    "session.execution.ended",
    "session.state_changed",
  );
});

test("[SES-21] [SES-82] [P9] a failed start is ERROR with its reason; prompts wait and a resume tries again", () => {
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
    failure: "agent_exited",
  });
  assert.equal(story.state.prompts.queue.length, 1);
  story.given({ type: "session.resume", trigger: "request" }).begin().ready();
  assert.equal(story.name, "RUNNING");
  assert.equal(
    story.state.agent.resume,
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
  story.given({ type: "session.resume", trigger: "request" });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "STARTING");
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
});

test("[SES-21] agentctl cannot be reached: ERROR, and the reason is shown", () => {
  const why = {
    code: "agentctl_unavailable",
    message: "No agentctl.",
  } as const;
  new Story()
    .when({ type: "execution.fail", epoch: null, ...why })
    .thenEvents(
      { type: "session.agentctl_error", data: why },
      { type: "session.state_changed", data: { to: "ERROR", ...why } },
    );
});

test("[SES-213] a variable that is missing here is no fault of agentctl: ERROR, and prompts wait", () => {
  const story = new Story({ checkpoints: false }).queue(1);
  const message = "The profile work takes KEY from the environment.";
  story
    .when({
      type: "execution.fail",
      epoch: null,
      code: "variable_missing",
      message,
    })
    .thenEvents({
      type: "session.state_changed",
      data: { to: "ERROR", message },
    });
  assert.equal(story.state.prompts.queue.length, 1);
});

test("[SES-18] a workspace that is gone, or an agent that is not installed, is told and retried on request", () => {
  for (const [report, words] of [
    [
      {
        agent: "gone",
        workspace: "missing",
        installed: true,
        transcript: "present",
        survivors: [],
      },
      /does not exist any more/,
    ],
    [
      {
        agent: "gone",
        workspace: "other",
        installed: true,
        transcript: "present",
        survivors: [],
      },
      /not a directory/,
    ],
    [
      {
        agent: "gone",
        workspace: "directory",
        installed: false,
        transcript: "present",
        survivors: [],
      },
      /not installed/,
    ],
  ] as const) {
    const story = new Story().given({
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

test("[P10] an execution that is provably gone is let go; another one is not", () => {
  const story = new Story().up().queue(1).deliver(1);
  story
    .when({ type: "execution.lose", epoch: 7 })
    .thenEvents()
    .when({ type: "execution.lose", epoch: 1 })
    .thenEvents(
      "session.turn.interrupted",
      {
        type: "session.execution.ended",
        data: { ending: { kind: "vanished" } },
      },
      { type: "session.state_changed", data: { to: "WAITING_FOR_INPUT" } },
    );
  assert.equal(story.state.execution, null);
});

test("an idle agent rests; one that has just got work does not", () => {
  const rest = { type: "session.rest" } as const;
  new Story()
    .up()
    .when(rest)
    .thenEvents({
      type: "session.execution.stopping",
      data: { reason: "idle" },
    });
  new Story().up().queue(1).when(rest).thenEvents();
});

test("[SES-3] a turn that an agent cancels because it is being stopped is interrupted, not cancelled", () => {
  const story = new Story().up().queue(1).deliver(1);
  story.given({ type: "session.pause", reason: "paused" });
  story.endTurn(1, "cancelled");
  assert.equal(story.path().at(-1), story.name);
  assert.equal(
    story.last("session.turn.interrupted").reason,
    "The session was paused.",
  );
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
  assert.deepEqual(
    story.state.prompts.unresolved.map(({ kind }) => kind),
    ["interrupted"],
  );
});

test("a tool call may be named like anything an object has", () => {
  for (const name of ["constructor", "__proto__", "toString"]) {
    const story = new Story().up().queue(1).deliver(1);
    const tool = { id: name, title: "Odd", status: "in_progress" } as const;
    story.report({ kind: "tool", tool, range: story.words(3) });
    assert.equal(story.last("session.message.added").message.tool?.id, name);
    const done = { id: name, status: "completed" } as const;
    story.report({ kind: "tool", tool: done, range: story.words(3) });
    assert.match(story.last("session.tool.updated").id, /^msg_\d+$/);
  }
});

test("[P9] a start that was cut off without an answer is tried again, a few times", () => {
  const story = new Story().begin();
  for (let n = 2; n <= 3; n++) {
    story.die([], { kind: "vanished" });
    assert.equal(story.name, "STARTING");
    assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
    story.begin(n);
  }
  story.die([], { kind: "vanished" });
  assert.equal(story.name, "ERROR");
  const exited = new Story().begin().die([], { kind: "exited", code: 1 });
  assert.equal(exited.name, "ERROR");
});
