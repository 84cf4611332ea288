import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { SessionId } from "../../contract/base/id.ts";
import type { Command } from "../state/command.ts";
import { intend } from "../intend.ts";
import {
  capture,
  execution,
  prompt,
  readyItem,
  Story,
  tree,
} from "../testing.ts";

const kinds = (story: Story): string[] =>
  intend(story.state).map(({ kind }) => kind);

const begun = (): Story => new Story({ checkpoints: true }).up().captured(1);

/** One turn, its checkpoint not yet taken. */
const turn = (story: Story, n: number): Story =>
  story.queue(n).deliver(n).endTurn(n);

const withMemory = { agent_state: tree(99) };

test("[CPT-1] [CPT-2] the first turn waits for the baseline, the next for the turn before", () => {
  const story = new Story({ checkpoints: true }).up().queue(1);
  assert.deepEqual(story.state.checkpoints.due, { kind: "baseline", turn: 0 });
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(kinds(story), ["checkpoint"]);
  story.captured(1);
  assert.equal(story.name, "RUNNING");
  story.deliver(1).queue(2).endTurn(1);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(story.state.checkpoints.due, { kind: "turn", turn: 1 });
  story.captured(2, withMemory);
  assert.equal(story.name, "RUNNING");
  const { checkpoint } = story.last("session.checkpoint.saved");
  assert.equal(checkpoint.turn, 1);
  assert.equal(checkpoint.tree, tree(2));
  assert.equal(checkpoint.token, story.state.agent.token);
  const told = story.events.findLast(
    ({ type }) => type === "session.checkpoint.saved",
  );
  assert.equal(checkpoint.id, checkpointId(told?.seq ?? 0));
  assert.equal(
    checkpoint.seq + 1,
    told?.seq,
    "what was said up to here belongs to it",
  );
});

test("[CPT-3] what failed or lacks files is told, and releases the prompt", () => {
  const story = begun().queue(1);
  turnOver(story, 1);
  story.queue(2).captured(2, { outcome: "failed", reason: "the disk is full" });
  assert.match(story.last("session.notice").text, /the disk is full/);
  assert.equal(story.name, "RUNNING");
  assert.equal(
    story.state.checkpoints.newest?.tree,
    tree(1),
    "the older one stays",
  );
  turnOver(story, 2);
  story.captured(3, {
    outcome: "partial",
    unstable: ["log"],
    unreadable: ["x"],
  });
  assert.match(story.last("session.notice").text, /2 files: log .*, x /);
  assert.equal(story.state.checkpoints.newest?.tree, tree(3));
});

test("[CPT-3] a reason that stays the same is told once", () => {
  const story = begun();
  const told = () =>
    story.events.filter(({ type }) => type === "session.notice").length;
  const tooLarge = { outcome: "failed", reason: "it is too large" } as const;
  turn(story, 1).captured(2, tooLarge);
  assert.equal(told(), 1);
  turn(story, 2).captured(3, tooLarge);
  assert.equal(told(), 1);
  turn(story, 3).captured(4);
  turn(story, 4).captured(5, tooLarge);
  assert.equal(told(), 2, "it was well in between");
});

const turnOver = (story: Story, n: number): Story =>
  story.deliver(n).endTurn(n);

test("[CPT-1] a turn that was cut off and a pause are captured too, once nothing can write any more", () => {
  const story = begun().queue(1).deliver(1);
  story.given({ type: "session.pause", reason: "paused" });
  assert.ok(!kinds(story).includes("checkpoint"), "it is being stopped");
  story.die();
  assert.equal(story.name, "PAUSED");
  assert.deepEqual(story.state.checkpoints.due, { kind: "turn", turn: 1 });
  story.captured(2);
  assert.deepEqual(kinds(story), []);

  const idle = turn(begun(), 1).captured(2);
  idle.given({ type: "session.pause", reason: "paused" }).die();
  assert.deepEqual(idle.state.checkpoints.due, { kind: "pause", turn: 1 });
});

const end: Command = {
  type: "session.end",
  outcome: "completed",
  reason: "requested",
};

test("[CPT-25] what is there when a session has ended is captured, once nothing can write any more", () => {
  const story = turn(begun(), 1).captured(2).given(end);
  assert.ok(!kinds(story).includes("checkpoint"), "it is being stopped");
  story.die([], { kind: "stopped" });
  assert.deepEqual(story.state.checkpoints.due, { kind: "end", turn: 1 });
  assert.deepEqual(kinds(story), ["checkpoint"]);
  story.captured(3);
  assert.equal(story.state.checkpoints.newest?.kind, "end");
  assert.equal(story.name, "COMPLETED");
  assert.deepEqual(kinds(story), []);

  const paused = turn(begun(), 1).captured(2);
  paused.given({ type: "session.pause", reason: "paused" }).die();
  paused.captured(3).given(end);
  assert.deepEqual(paused.state.checkpoints.due, { kind: "end", turn: 1 });

  const busy = begun().queue(1).deliver(1).given(end);
  busy.die([], { kind: "stopped" });
  assert.deepEqual(
    busy.state.checkpoints.due,
    { kind: "turn", turn: 1 },
    "once is enough",
  );
});

test("[CPT-25] where nothing changed, or the workspace is gone, no checkpoint is made", () => {
  const ended = () => {
    const story = turn(begun(), 1).captured(2).given(end);
    return story.die([], { kind: "stopped" });
  };
  const same = ended().captured(2);
  assert.equal(same.last("session.checkpoint.skipped").reason, "unchanged");
  assert.equal(same.state.checkpoints.newest?.kind, "turn");
  assert.equal(same.state.checkpoints.due, null);

  const reason = "workspace_missing";
  const gone = ended();
  gone.given({ type: "checkpoint.skip", kind: "end", turn: 1, reason });
  assert.equal(gone.last("session.checkpoint.skipped").reason, reason);
  assert.equal(gone.state.checkpoints.due, null);
  assert.ok(!gone.types().includes("session.notice"));
});

test("[CPT-25] a session whose workspace cannot be captured has ended all the same, and says so", () => {
  const failed = { outcome: "failed", reason: "it is too large" } as const;
  const story = turn(begun(), 1).captured(2, failed).given(end);
  story.die([], { kind: "stopped" }).captured(3, failed);
  assert.equal(story.name, "COMPLETED");
  assert.equal(story.state.checkpoints.due, null);
  const { code, text } = story.last("session.notice");
  assert.equal(code, "checkpoint_failed");
  assert.match(text, /The session has ended/);
});

test("[CPT-25] without checkpoints, and from the trash, nothing is captured at the end", () => {
  const bare = turn(new Story().up(), 1).given(end);
  bare.die([], { kind: "stopped" });
  assert.equal(bare.state.checkpoints.due, null);
  const deleted = turn(begun(), 1).captured(2);
  deleted.given({ type: "session.pause", reason: "paused" }).die();
  deleted.captured(3).given({ type: "session.delete" }).given(end);
  assert.equal(deleted.state.checkpoints.due, null);
});

test("[CPT-1] what comes of a checkpoint that is not due any more changes nothing", () => {
  const story = turn(begun(), 1).captured(2);
  const before = story.events.length;
  story.given({
    type: "checkpoint.report",
    kind: "turn",
    turn: 1,
    capture: capture(3),
    token: null,
  });
  assert.equal(story.events.length, before);
});

test("[CPT-17] without checkpoints nothing is due", () => {
  const story = turn(new Story().up(), 1);
  assert.equal(story.state.checkpoints.due, null);
});

test("[CPT-16] a long turn is captured on the way, and still when it ends", () => {
  const story = begun().queue(1).deliver(1);
  story.given({ type: "checkpoint.secure" });
  assert.deepEqual(story.state.checkpoints.due, { kind: "safety", turn: 1 });
  story.captured(2);
  story.endTurn(1);
  assert.deepEqual(story.state.checkpoints.due, { kind: "turn", turn: 1 });
});

test("[CPT-8] in a shared directory a turn is captured when it begins", () => {
  const other = SessionId.parse(`ses_${"2".padStart(26, "0")}`);
  const story = begun().given({ type: "workspace.share", with: other });
  story.queue(1);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(story.state.checkpoints.due, { kind: "start", turn: 1 });
  story.captured(2);
  assert.equal(story.name, "RUNNING");
  turnOver(story, 1);
  assert.equal(story.captured(3).state.checkpoints.newest?.shared, true);
});

test("[CPT-26] a turn begins when the workspace was looked at, and what changed since the last capture is a checkpoint", () => {
  const story = turn(begun(), 1).captured(2).ask(2);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(story.state.checkpoints.due, { kind: "start", turn: 2 });
  story.captured(3);
  assert.equal(story.name, "RUNNING");
  const { checkpoint } = story.last("session.checkpoint.saved");
  assert.deepEqual(
    [checkpoint.kind, checkpoint.turn, checkpoint.tree],
    ["start", 2, tree(3)],
  );
});

test("[CPT-26] where nothing changed there is no checkpoint, and it is said which one holds", () => {
  const story = turn(begun(), 1).captured(2);
  const newest = story.state.checkpoints.newest?.id;
  story.ask(2).captured(2);
  assert.equal(story.name, "RUNNING");
  assert.deepEqual(story.last("session.checkpoint.skipped"), {
    kind: "start",
    turn: 2,
    reason: "unchanged",
    checkpoint_id: newest,
  });
  assert.equal(story.state.checkpoints.due, null);
  assert.equal(story.state.checkpoints.newest?.id, newest);
});

test("[CPT-26] what was captured this moment is not looked at again, nor what could not be captured", () => {
  const waiting = begun().queue(1).deliver(1).ask(2).endTurn(1).captured(2);
  assert.equal(waiting.name, "RUNNING", "the prompt waited for that capture");
  const failing = turn(begun(), 1).captured(2, FAILED).ask(2);
  assert.equal(failing.name, "RUNNING", "nothing to compare with");
});

test("[CPT-26] a look that fails is told, and the prompt goes on", () => {
  const story = turn(begun(), 1).captured(2).ask(2).captured(3, FAILED);
  assert.equal(story.last("session.notice").code, "checkpoint_failed");
  assert.equal(story.name, "RUNNING");
});

test("[CPT-26] what was seen before a prompt was withdrawn, or the agent stopped, counts for no later turn", () => {
  const story = turn(begun(), 1).captured(2).ask(2);
  story.given({ type: "prompt.cancel", prompt_id: prompt(2) }).captured(3);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  story.ask(3);
  assert.deepEqual(story.state.checkpoints.due, { kind: "start", turn: 2 });
  story.given({ type: "session.pause", reason: "paused" }).die();
  assert.deepEqual(story.state.checkpoints.due, { kind: "pause", turn: 1 });
});

const FAILED = { outcome: "failed", reason: "it is too slow" } as const;

test("[CPT-4] what is missing is put back: the workspace, the agent's own session", () => {
  const story = turn(begun(), 1).captured(2, withMemory);
  story.given({ type: "session.pause", reason: "paused" }).die();
  story.captured(3, withMemory);
  story.given({ type: "session.resume", trigger: "request" });
  const begin = (
    workspace: "directory" | "missing",
    transcript: "present" | "missing",
  ) => {
    const decided = story.decide({
      type: "execution.begin",
      execution_id: execution(2),
      term: 1,
      report: {
        agent: "gone",
        workspace,
        transcript,
        installed: true,
        survivors: [],
      },
      agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
    });
    const started = decided.find(
      (event) => event.type === "session.execution.started",
    );
    assert.ok(started?.type === "session.execution.started");
    return { path: started.data.path, ...started.data.rebuild };
  };
  const memory = {
    tree: tree(99),
    token: story.state.agent.token,
    cwd: "/work",
    renamed: false,
  };
  const there = { tree: tree(3), restore: false, memory: null };
  assert.deepEqual(begin("directory", "present"), { path: "fast", ...there });
  assert.deepEqual(begin("missing", "present"), {
    path: "cold",
    ...there,
    restore: true,
  });
  assert.deepEqual(begin("directory", "missing"), {
    path: "cold",
    ...there,
    memory,
  });
});

test("[CPT-4] [CPT-5] the resume says what became of the workspace", () => {
  const story = turn(begun(), 1).captured(2);
  story.given({ type: "session.pause", reason: "paused" }).die().captured(3);
  story.given({ type: "session.resume", trigger: "request" }).begin();
  story.report(
    readyItem(
      { from: 0, to: 4 },
      { opened: "resumed", verified: true, workspace: "changed" },
    ),
  );
  assert.equal(story.state.agent.resume?.workspace, "changed");
});
