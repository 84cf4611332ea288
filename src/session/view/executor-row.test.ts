import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentctlFacts } from "../state/agentctl.ts";
import type { Command } from "../state/command.ts";
import {
  executorChange,
  executorStatusOf,
  livingExecutor,
} from "./executor-row.ts";
import { abilities, Story } from "../testing.ts";
import { viewOf } from "./view.ts";

type AgentctlReport = Extract<Command, { type: "agentctl.report" }>;

test("[SES-33] an executor's row is written when it says something new, and every ten seconds while the agent speaks", () => {
  const story = new Story().up().queue(1).deliver(1).say("a");
  const before = story.state;
  const after = story.say("b").state;
  assert.equal(
    executorChange(before, after, before.times.last_active_at),
    null,
  );
  const later = "2026-01-01T00:00:10.000Z";
  assert.equal(executorChange(before, after, later)?.last_seen_at, later);

  const ended = story.die().state;
  const stopped = executorChange(after, ended, after.times.last_active_at);
  assert.equal(stopped?.status, "stopped");
  assert.equal(executorChange(ended, story.state, later), null, "it rests");

  const starting = story.queue(2).state;
  const begun = executorChange(starting, story.begin().state, later);
  assert.equal(begun?.epoch, 2, "another execution, though it starts as well");
});

const ready = (pid: number) => ({
  runtime: "standalone",
  url: "unix:/other",
  pid,
  build: "1",
  port: 7,
  container_id: "c1",
  supports_session_resume: true,
  supports_workspace_only: true,
});

const rowOf = (story: Story) => {
  const row = executorChange(
    null,
    story.state,
    story.state.times.last_active_at,
  );
  assert.ok(row !== null);
  return row;
};

test("[SES-47] an executor has a name of its own, which stays while no agent runs", () => {
  const story = new Story();
  assert.equal(viewOf(story.state).executor_id, null);
  story.up();
  const row = rowOf(story);
  const { executor_id, agent_execution_id } = viewOf(story.state);
  assert.equal(executor_id, row.id);
  assert.notEqual(row.id, agent_execution_id);
  assert.equal(row.agent_execution_id, agent_execution_id);

  story.die();
  assert.equal(viewOf(story.state).agent_execution_id, null);
  assert.equal(viewOf(story.state).executor_id, row.id);
  assert.equal(rowOf(story).id, row.id);
});

test("[SES-47] a row follows the agentctl that was reached last", () => {
  const story = new Story().up();
  const tell = (agentctl: AgentctlReport["agentctl"]) => {
    story.given({ type: "agentctl.report", agentctl });
    const { status, agentctl_url, agentctl_port, container_id, pid } =
      rowOf(story);
    return [status, agentctl_url, agentctl_port, container_id, pid];
  };
  const nowhere = [null, null, null, null];
  assert.deepEqual(tell({ status: "starting" }), ["starting", ...nowhere]);
  const gone = { code: "agentctl_unavailable", message: "It is away." };
  assert.deepEqual(tell({ status: "error", ...gone }), ["error", ...nowhere]);
  assert.deepEqual(tell({ status: "ready", facts: ready(42) }), [
    "ready",
    "unix:/other",
    7,
    "c1",
    42,
  ]);
  story.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  story.die([], { kind: "stopped" });
  assert.deepEqual(
    [rowOf(story).status, rowOf(story).agentctl_url],
    ["stopped", null],
  );
});

test("[SES-48] what an executor supports is what its agentctl answered, and what the agent's handshake offered", () => {
  const supports = (story: Story) => {
    const row = rowOf(story);
    return [row.supports_session_resume, row.supports_workspace_only];
  };
  const story = new Story().up();
  assert.deepEqual(supports(story), [true, false], "nobody was probed");
  const told = (facts: AgentctlFacts) =>
    story.given({
      type: "agentctl.report",
      agentctl: { status: "ready", facts },
    });
  assert.deepEqual(supports(told(ready(2))), [true, true]);
  told({ ...ready(3), supports_session_resume: false });
  assert.deepEqual(supports(story), [false, true]);

  const plain = { resume: false, load: false };
  const unable = new Story().begin().ready({ abilities: abilities(plain) });
  unable.given({
    type: "agentctl.report",
    agentctl: { status: "ready", facts: ready(2) },
  });
  assert.deepEqual(supports(unable), [false, true]);
});

test("[API-119] the status of an executor is agentctl's health, whatever the agent does", () => {
  const statuses = (story: Story) =>
    (["ready", "stopped", "error"] as const).map((health) =>
      executorStatusOf(story.state, health),
    );
  const health = ["ready", "stopped", "error"];

  const story = new Story();
  assert.deepEqual(statuses(story), ["starting", "starting", "starting"]);
  assert.deepEqual(statuses(story.begin()), health, "the agent starts");
  assert.deepEqual(statuses(story.ready()), health, "the agent runs");
  assert.deepEqual(statuses(story.die()), health, "the agent is dead");
  story.given({ type: "session.pause", reason: "paused" });
  assert.deepEqual(statuses(story), health, "the session is paused");

  const waits = new Story({ on_interrupt: "continue" }).up();
  waits.queue(1).deliver(1).die();
  assert.deepEqual(statuses(waits), health, "it will go on by itself");

  story.given({ type: "session.resume", trigger: "request" });
  assert.deepEqual(statuses(story), ["starting", "starting", "starting"]);
  story.given({
    type: "execution.fail",
    epoch: null,
    code: "agentctl_unavailable",
    message: "It is away.",
  });
  assert.deepEqual(statuses(story), ["ready", "error", "error"]);
  story.given({ type: "session.end", outcome: "failed", reason: "requested" });
  assert.deepEqual(statuses(story), ["stopped", "stopped", "stopped"]);
});

test("[API-119] a row is shown with the agentctl that lives now", () => {
  const story = new Story().up().die();
  const row = rowOf(story);
  assert.equal(row.status, "stopped");
  const later = "2026-01-01T00:10:00.000Z";
  const shown = livingExecutor(row, "ready", ready(42), later);
  assert.deepEqual(
    [shown.status, shown.pid, shown.agentctl_url, shown.last_seen_at],
    ["ready", 42, "unix:/other", later],
  );
  const gone = livingExecutor(row, "stopped", null, later);
  assert.deepEqual(
    [gone.status, gone.pid, gone.agentctl_url, gone.last_seen_at],
    ["stopped", null, null, row.last_seen_at],
  );
});
