import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, type Changes } from "../fixtures/changed-state.ts";
import type { Agent, Lifecycle, State } from "../state/state.ts";
import {
  decideResume,
  executionStep,
  isIdleAndResumable,
  sessionOpening,
} from "./resume.ts";
import { resumability } from "./resumability.ts";
import { abilities, execution, Story, tree } from "../testing.ts";
import type { WorldReport } from "../state/world-report.ts";

const base = (): State =>
  new Story().up().queue(1).deliver(1).endTurn(1).die().state;
const NOW = "2026-01-02T00:00:00.000Z";
const world: WorldReport = {
  agent: "gone",
  workspace: "directory",
  installed: true,
  transcript: "present",
  survivors: [],
};

const native = abilities({ injection: false });
const injection = abilities({ resume: false, load: false });
const neither = abilities({ resume: false, load: false, injection: false });
const mark = { bytes: 1, sha256: "x" };

const live: readonly Lifecycle[] = [
  { name: "WAITING_FOR_INPUT" },
  { name: "STARTING", trigger: "request", since: NOW },
];

type Answer = [
  is_resumable: boolean,
  needs_resume: boolean,
  reason: string | null,
  requires_new_session: boolean,
];

const statusOf = (
  state: State,
  report: WorldReport | null,
  at = NOW,
): Answer => {
  const { is_resumable, needs_resume, resume_reason, requires_new_session } =
    resumability(state, decideResume(state, report), at);
  return [is_resumable, needs_resume, resume_reason, requires_new_session];
};

const rows: readonly [
  words: string,
  changes: Changes,
  seen: Partial<WorldReport>,
  expected: Answer,
][] = [
  [
    "native ability and a token",
    { agent: { abilities: native, token: "t" } },
    {},
    [true, true, "agent_not_running", false],
  ],
  [
    "no token, injection possible",
    { agent: { abilities: injection, token: null } },
    {},
    [true, true, "agent_not_running_fresh_start", false],
  ],
  [
    "no token, never started",
    { agent: { abilities: neither, token: null, booted: false } },
    {},
    [true, true, "agent_not_running_fresh_start", false],
  ],
  [
    "neither native nor injection",
    { agent: { abilities: neither, token: null } },
    {},
    [false, false, "not_resumable", true],
  ],
  [
    "native only, token missing",
    { agent: { abilities: native, token: null } },
    {},
    [false, false, "missing_resume_token", true],
  ],
  [
    "native only, the agent's own file is gone",
    { agent: { abilities: native, token: "t", transcript: mark } },
    { transcript: "missing" },
    [false, false, "agent_session_missing", true],
  ],
  [
    "the agent's own file is gone, injection possible",
    { agent: { token: "t", transcript: mark } },
    { transcript: "missing" },
    [true, true, "agent_not_running_fresh_start", false],
  ],
  [
    "the workspace is gone and nothing was captured of it",
    { agent: { token: "t" } },
    { workspace: "missing" },
    [false, false, "workspace_missing", false],
  ],
  [
    "the workspace is gone and its repository makes it again",
    {
      agent: { token: "t" },
      workspace: {
        worktree: { id: "w", path: "/work", branch: "b", repository: "/r" },
      },
    },
    { workspace: "missing" },
    [true, true, "agent_not_running", false],
  ],
  [
    "something else is in its place",
    { agent: { token: "t" } },
    { workspace: "other" },
    [false, false, "workspace_not_a_directory", false],
  ],
  [
    "the agent is not installed",
    { agent: { token: "t" } },
    { installed: false },
    [false, false, "agent_not_installed", false],
  ],
  [
    "it is in the trash",
    { deleted_at: NOW },
    {},
    [false, false, "deleted", false],
  ],
];

for (const [words, changes, seen, expected] of rows)
  test(`[SES-18] [SES-43] status: ${words}`, () => {
    for (const lifecycle of live) {
      const state = { ...changed(base(), changes), lifecycle };
      assert.deepEqual(
        statusOf(state, { ...world, ...seen }),
        expected,
        lifecycle.name,
      );
    }
  });

test("[SES-18] status: an agent that runs needs nothing, and what is known of it is not denied", () => {
  const running = new Story().up().state;
  const alive = { ...world, agent: "alive" } as const;
  assert.deepEqual(statusOf(running, alive), [true, false, null, false]);
  const forgetful = changed(running, { agent: { abilities: neither } });
  assert.deepEqual(statusOf(forgetful, alive), [false, false, null, false]);
});

test("[SES-18] status: an agent that was heard a moment ago is not resumed by looking at it", () => {
  const story = new Story().up();
  const { last_active_at } = story.state.times;
  const soon = last_active_at.replace(".000Z", ".500Z");
  const expected: Answer = [true, false, "recently_seen", false];
  assert.deepEqual(statusOf(story.state, world, soon), expected);
  assert.deepEqual(statusOf(story.state, world, NOW), [
    true,
    true,
    "agent_not_running",
    false,
  ]);
});

test("[SES-44] status: paused and failed sessions are never resumed by looking at them, and say what stands in the way", () => {
  const missing = { ...world, workspace: "missing" } as const;
  for (const lifecycle of [
    { name: "PAUSED" },
    { name: "ERROR", message: "" },
  ] as const) {
    const state = { ...base(), lifecycle };
    const reason = lifecycle.name.toLowerCase();
    assert.deepEqual(statusOf(state, world), [true, false, reason, false]);
    const gone: Answer = [false, false, "workspace_missing", false];
    assert.deepEqual(statusOf(state, missing), gone);
    const forgetful = changed(state, {
      agent: { abilities: neither, token: null },
    });
    const fresh: Answer = [false, false, "not_resumable", true];
    assert.deepEqual(statusOf(forgetful, world), fresh);
  }
});

test("[SES-18] status: an ended session is refused, whatever else is wrong with it", () => {
  for (const name of ["COMPLETED", "CANCELLED", "FAILED"] as const) {
    const state = { ...base(), lifecycle: { name } };
    const report = { ...world, workspace: "missing" } as const;
    assert.deepEqual(statusOf(state, report), [false, false, "ended", true]);
  }
});

test("[SES-43] where nobody could look, status says so and tells what the journal knows", () => {
  const unseen: Answer = [true, false, "agentctl_unavailable", false];
  assert.deepEqual(statusOf(base(), null), unseen);
  assert.deepEqual(statusOf(new Story().up().state, null), unseen);
});

test("[SES-18] the decision: reattach what lives, wait for what is under way, start what is gone", () => {
  const alive = { ...world, agent: "alive" } as const;
  const running = new Story().up();
  assert.deepEqual(decideResume(running.state, alive), { kind: "reattach" });
  const starting = new Story().begin().state;
  const stopping = running.given({ type: "session.pause", reason: "paused" });
  assert.deepEqual(decideResume(starting, alive), { kind: "wait" });
  assert.deepEqual(decideResume(stopping.state, alive), { kind: "wait" });
  assert.deepEqual(decideResume(running.state, null), { kind: "unseen" });
  assert.deepEqual(decideResume(base(), world), {
    kind: "start",
    path: "fast",
    opening: { strategy: "native", token: "native-1" },
    rebuild: { tree: null, restore: false, memory: null },
  });
});

test("[SES-18] the decision: a workspace that is gone is restored from the newest checkpoint", () => {
  const story = new Story({ checkpoints: true }).captured(1).up().die();
  const decision = decideResume(story.state, {
    ...world,
    workspace: "missing",
  });
  assert.ok(decision.kind === "start");
  assert.deepEqual(
    [decision.path, decision.rebuild.restore, decision.rebuild.tree],
    ["cold", true, tree(1)],
  );
});

test("[REC-31] [REC-61] what is done about an execution follows from its phase and from what agentctl knows of it", () => {
  const executionOf = (story: Story) => {
    const { execution } = story.state;
    assert.ok(execution !== null);
    return execution;
  };
  const seen = [
    "alive",
    "ended",
    "unknown",
    "unknown_at_another_place",
  ] as const;
  const starting = executionOf(new Story().begin());
  const ready = executionOf(new Story().up());
  const stopping = executionOf(
    new Story().up().given({ type: "session.pause", reason: "paused" }),
  );
  const steps = ([starting, ready, stopping] as const).map((execution) =>
    seen.map((each) => executionStep(execution, each)),
  );
  assert.deepEqual(steps, [
    ["attach", "conclude", "launch", "lose"],
    ["reattach", "conclude", "lose", "lose"],
    ["attach", "conclude", "lose", "lose"],
  ]);
});

test("[SES-19] how the conversation comes back: native with a token, else injected, else fresh; none before the first start", () => {
  const of = (agent: Partial<Agent>) =>
    sessionOpening(changed(base(), { agent }), null);
  assert.deepEqual(of({ abilities: native, token: "t" }), {
    strategy: "native",
    token: "t",
  });
  assert.deepEqual(of({ token: null }), { strategy: "injected", failed: null });
  assert.deepEqual(of({ abilities: neither, token: null }), {
    strategy: "fresh",
    failed: null,
    reason: "not_resumable",
  });
  assert.deepEqual(of({ booted: false }), { strategy: "none" });
});

test("[SES-19] an agent's own session that is gone is not asked for, and the order says why; one that was saved is put back", () => {
  const gone = { transcript: "missing" } as const;
  const story = new Story({ checkpoints: true }).captured(1).up();
  story.report({ kind: "transcript", range: null, bytes: 1, sha256: "x" });
  story.queue(1).deliver(1).endTurn(1).captured(2).die();
  story.given({ type: "session.resume", trigger: "request" });
  const unsaved = story.decide(beginning(gone)).at(-1);
  assert.ok(unsaved?.type === "session.execution.started");
  assert.deepEqual(
    [unsaved.data.strategy, unsaved.data.token, unsaved.data.failed?.reason],
    ["injected", null, "transcript_damaged"],
  );
  const { newest } = story.state.checkpoints;
  assert.ok(newest !== null);
  const { token } = story.state.agent;
  const saved = { ...newest, agent_state: tree(3), token };
  const decision = decideResume(
    changed(story.state, { checkpoints: { newest: saved } }),
    { ...world, ...gone },
  );
  assert.ok(decision.kind === "start");
  assert.equal(decision.opening.strategy, "native");
  assert.equal(decision.path, "cold");
});

const beginning = (seen: Partial<WorldReport>) =>
  ({
    type: "execution.begin",
    execution_id: execution(9),
    term: 1,
    report: { ...world, ...seen },
    agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
  }) as const;

test("[REC-35] what waits for input without an agent and has a token is brought back, and nothing else", () => {
  const waits = new Story().up();
  assert.equal(isIdleAndResumable(waits.state), false, "it has its agent");
  assert.equal(isIdleAndResumable(waits.die().state), true);

  const paused = new Story()
    .up()
    .given({ type: "session.pause", reason: "paused" });
  paused.die([], { kind: "stopped" });
  assert.equal(isIdleAndResumable(paused.state), false);

  const unable = { abilities: abilities({ resume: false, load: false }) };
  const injected = new Story().begin().ready(unable).queue(1).deliver(1);
  assert.equal(isIdleAndResumable(injected.endTurn(1).die().state), false);

  const deleted = new Story().up().die().given({ type: "session.delete" });
  assert.equal(isIdleAndResumable(deleted.state), false);

  const failed = new Story().up().die();
  failed.given({ type: "session.resume", trigger: "request" });
  failed.given({
    type: "execution.fail",
    epoch: null,
    code: "x",
    message: "No.",
  });
  assert.equal(failed.name, "ERROR");
  assert.equal(isIdleAndResumable(failed.state), false);
});
