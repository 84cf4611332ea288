import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lifecycle, State } from "./state.ts";
import { planResume, strategyFor } from "./plan.ts";
import { resumability } from "./resumability.ts";
import { Story, abilities } from "./testing.ts";

const base = (): State =>
  new Story().up().queue(1).deliver(1).endTurn(1).die().state;
const NOW = "2026-01-02T00:00:00.000Z";
const JUST_NOW = "2026-01-01T23:59:55.000Z";

const native = abilities({ injection: false });
const injection = abilities({ resume: false, load: false });
const neither = abilities({ resume: false, load: false, injection: false });

const live: readonly Lifecycle[] = [
  { name: "WAITING_FOR_INPUT" },
  { name: "STARTING", trigger: "request", since: NOW },
];

const rows: readonly [
  words: string,
  given: Partial<State>,
  seen: { running: boolean; last_seen_at: string | null },
  expected: [
    is_resumable: boolean,
    needs_resume: boolean,
    reason: string | null,
  ],
][] = [
  [
    "the agent runs",
    {},
    { running: true, last_seen_at: null },
    [true, false, null],
  ],
  [
    "it was seen a moment ago",
    {},
    { running: false, last_seen_at: JUST_NOW },
    [true, false, "recently_seen"],
  ],
  [
    "native ability and a token",
    { abilities: native, token: "t" },
    gone(),
    [true, true, "agent_not_running"],
  ],
  [
    "no token, injection possible",
    { abilities: injection, token: null },
    gone(),
    [true, true, "agent_not_running_fresh_start"],
  ],
  [
    "no token, never started",
    { abilities: neither, token: null, booted: false },
    gone(),
    [true, true, "agent_not_running_fresh_start"],
  ],
  [
    "neither native nor injection",
    { abilities: neither, token: null },
    gone(),
    [false, false, "not_resumable"],
  ],
  [
    "native only, token missing",
    { abilities: native, token: null },
    gone(),
    [false, false, "missing_resume_token"],
  ],
];

function gone() {
  return { running: false, last_seen_at: null };
}

for (const [words, given, seen, expected] of rows)
  test(`[SES-18] status: ${words}`, () => {
    for (const lifecycle of live) {
      const state = { ...base(), ...given, lifecycle };
      const { is_resumable, needs_resume, resume_reason } = resumability(
        state,
        seen,
        NOW,
      );
      assert.deepEqual(
        [is_resumable, needs_resume, resume_reason],
        expected,
        lifecycle.name,
      );
    }
  });

test("[SES-18] status: paused, in error and ended sessions are never resumed by looking at them", () => {
  const of = (lifecycle: Lifecycle) =>
    resumability({ ...base(), lifecycle }, gone(), NOW);
  assert.deepEqual(of({ name: "PAUSED" }), {
    is_resumable: true,
    needs_resume: false,
    resume_reason: "paused",
  });
  assert.deepEqual(of({ name: "ERROR", message: "" }), {
    is_resumable: true,
    needs_resume: false,
    resume_reason: "error",
  });
  for (const name of ["COMPLETED", "CANCELLED", "FAILED"] as const)
    assert.deepEqual(of({ name }), {
      is_resumable: false,
      needs_resume: false,
      resume_reason: "ended",
    });
});

test("[SES-18] the plan: reattach what lives, restart what is gone, never beside an execution that may live", () => {
  const report = {
    agent: "gone",
    workspace: "directory",
    installed: true,
    transcript: "present",
    survivors: [],
  } as const;
  const running = new Story().up().state;
  assert.deepEqual(planResume(running, { ...report, agent: "alive" }), {
    kind: "reattach",
  });
  assert.deepEqual(planResume(running, { ...report, agent: "unknown" }), {
    kind: "blocked",
    reason: "old_execution_not_gone",
  });
  assert.deepEqual(planResume(base(), report), {
    kind: "restart-agent",
    strategy: "native",
    rebuild: { tree: null, restore: false, memory: null },
  });
  assert.deepEqual(planResume(base(), { ...report, workspace: "missing" }), {
    kind: "blocked",
    reason: "workspace_missing",
  });
  assert.deepEqual(
    planResume(base(), { ...report, installed: false, survivors: [] }),
    {
      kind: "workspace-only",
      reason: "agent_not_installed",
    },
  );
});

test("[SES-19] the strategy: native with a token, else injected, else fresh; none before the first start", () => {
  const of = (given: Partial<State>) => strategyFor({ ...base(), ...given });
  assert.equal(of({ abilities: native, token: "t" }), "native");
  assert.equal(of({ abilities: abilities(), token: null }), "injected");
  assert.equal(of({ abilities: neither, token: null }), "fresh");
  assert.equal(of({ booted: false }), "none");
});
