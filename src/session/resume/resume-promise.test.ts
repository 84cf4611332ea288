/** Status against action, over random sessions in random worlds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EventDataOf } from "../../contract/event/event.ts";
import type { Memory } from "../../contract/session/checkpoint.ts";
import { openingOf } from "../../contract/agent/opening.ts";
import type { Command } from "../state/command.ts";
import { decide } from "../decide/decide.ts";
import type { Decision } from "../decide/decision.ts";
import { changed, type Changes } from "../fixtures/changed-state.ts";
import { expected, rareSteps, steps } from "../fixtures/random-steps.ts";
import { intend } from "../intend.ts";
import { decideResume, executionStep } from "./resume.ts";
import type { State } from "../state/state.ts";
import { sessionStatusOf } from "../view/status.ts";
import { abilities, execution, Story, tree } from "../testing.ts";
import type { WorldReport } from "../state/world-report.ts";

const NOW = "2026-01-02T00:00:00.000Z";
const patience = { startMs: 1e12, silentMs: 1e12 };

const world: fc.Arbitrary<WorldReport> = fc.record({
  agent: fc.constantFrom("alive", "gone"),
  workspace: fc.constantFrom("directory", "directory", "missing", "other"),
  installed: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  transcript: fc.constantFrom("present", "missing", "unknown"),
  survivors: fc.constant([]),
});

const memory: Memory = {
  tree: tree(7),
  token: "remembered",
  cwd: "/work",
  renamed: false,
};

/** What the story alone would seldom come to. */
const circumstances: fc.Arbitrary<Changes> = fc.record(
  {
    agent: fc.record(
      {
        abilities: fc
          .record({
            resume: fc.boolean(),
            load: fc.boolean(),
            injection: fc.boolean(),
          })
          .map(abilities),
        token: fc.constantFrom(null, "native-1"),
        transcript: fc.constantFrom(null, { bytes: 1, sha256: "x" }),
        memory: fc.constantFrom(null, memory),
        booted: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    workspace: fc.record({
      worktree: fc.constantFrom(null, {
        id: "w",
        path: "/work",
        branch: "b",
        repository: "/r",
      }),
    }),
    deleted_at: fc.constantFrom(null, null, null, NOW),
  },
  { requiredKeys: [] },
);

const all = [...steps, ...rareSteps, expected];
const stories = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(all.length - 1) },
      { weight: 1, arbitrary: fc.nat(all.length - 1) },
    ),
    { minLength: 1, maxLength: 25, size: "max" },
  )
  .map((sequence) => {
    const story = new Story({ checkpoints: sequence.length % 2 === 0 });
    sequence.forEach((index, i) => {
      const step = all[index];
      if (step !== undefined) story.when(step(story, i + 1));
    });
    return story.state;
  });

/** How an agent that is gone is known to agentctl. */
const ways = fc.constantFrom("ended" as const, "unknown" as const);

const begin = (report: WorldReport): Command => ({
  type: "execution.begin",
  execution_id: execution(99),
  term: 1,
  report,
  agentctl: { runtime: "standalone", url: "unix:/s", pid: 1, build: "0" },
});

interface Came {
  after: State;
  started: EventDataOf<"session.execution.started"> | null;
}

type Refused = Extract<Decision, { kind: "refused" }>;

/** What a resume comes to when the world is as it was seen: a refusal, or the state after it and what was started. */
const resumed = (
  before: State,
  report: WorldReport,
  gone: "ended" | "unknown",
): Refused | Came | "launched again" => {
  const step = (state: State, command: Command): Decision =>
    decide(state, command, NOW);
  let state = before;
  // What is gone is settled first, as recovery does it.
  if (before.execution !== null && report.agent === "gone") {
    const settling = settlingOf(before.execution, gone);
    if (settling === null) return "launched again";
    const settled = step(before, settling);
    assert.ok(settled.kind === "events");
    state = settled.after;
    assert.equal(state.execution, null);
  }
  const asked = step(state, { type: "session.resume", trigger: "request" });
  if (asked.kind === "refused") return asked;
  assert.ok(asked.kind === "events");
  // Nothing begins before its time: a rewind comes first, say.
  if (!intend(asked.after).some(({ kind }) => kind === "begin"))
    return { after: asked.after, started: null };
  const begun = step(asked.after, begin(report));
  assert.ok(begun.kind === "events");
  const started = begun.events.find(
    (event) => event.type === "session.execution.started",
  );
  return { after: begun.after, started: started?.data ?? null };
};

/** The command that concludes an execution that is gone; null where its order is given again instead. */
const settlingOf = (
  execution: NonNullable<State["execution"]>,
  gone: "ended" | "unknown",
): Command | null => {
  const { epoch } = execution;
  const doing = executionStep(execution, gone);
  if (doing === "launch") return null;
  if (doing === "lose") return { type: "execution.lose", epoch };
  assert.equal(doing, "conclude");
  const ending = { kind: "killed", signal: "SIGKILL" } as const;
  const facts = { range: null, not_taken: [], stderr_tail: "" };
  const items = [{ kind: "ended" as const, ending, ...facts }];
  return { type: "execution.report", epoch, items };
};

test("[SES-45] what status promises the action does; what it denies the action refuses with the same reason", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      stories,
      circumstances,
      world,
      ways,
      (story, changes, report, gone) => {
        const state = changed(story, changes);
        const status = sessionStatusOf(
          state,
          { report, at: NOW },
          patience,
          NOW,
          "ready",
        );
        const { is_resumable, needs_resume, resume_reason } = status;
        assert.ok(is_resumable || !needs_resume);
        const decision = decideResume(state, report);
        const came = resumed(state, report, gone);
        // It is the same start that goes on, with what was decided when it was begun.
        if (came === "launched again") return void seen.add(came);
        switch (decision.kind) {
          case "refuse": {
            seen.add(decision.reason);
            assert.deepEqual(
              [is_resumable, resume_reason],
              [false, decision.reason],
            );
            if ("kind" in came)
              return assert.equal(came.reason, resume_reason, came.code);
            const { execution: running, lifecycle } = came.after;
            assert.equal(running, null);
            assert.ok(lifecycle.name === "ERROR", lifecycle.name);
            return assert.equal(lifecycle.code, resume_reason);
          }
          case "start": {
            assert.ok(!("kind" in came), JSON.stringify(came));
            const { strategy } = decision.opening;
            seen.add(strategy);
            assert.equal(is_resumable, strategy !== "fresh");
            if (strategy === "fresh")
              assert.equal(resume_reason, decision.opening.reason);
            assert.equal(status.requires_new_session, strategy === "fresh");
            assert.ok(came.started !== null);
            const { path, rebuild } = came.started;
            assert.deepEqual(
              [came.started.strategy, path, rebuild],
              [strategy, decision.path, decision.rebuild],
            );
            assert.equal(came.after.execution?.epoch, came.started.epoch);
            return;
          }
          case "reattach":
          case "wait":
          case "unseen":
            seen.add(decision.kind);
            assert.equal(needs_resume, false);
            // Whoever is there stays: nobody is put beside it.
            if (!("kind" in came) && report.agent === "alive")
              assert.equal(came.after.execution?.id, state.execution?.id);
        }
      },
    ),
    { numRuns: 1000, seed: Number(process.env["SEED"] ?? 1) },
  );
  const expected = [
    "launched again",
    "none",
    "native",
    "injected",
    "fresh",
    "reattach",
    "wait",
    "ended",
    "deleted",
    "workspace_missing",
    "workspace_not_a_directory",
    "agent_not_installed",
  ];
  assert.deepEqual([...seen].sort(), expected.sort(), "every answer was met");
});

test("[SES-45] agentctl opens what was decided, unless its own eyes or the agent's handshake say otherwise", () => {
  const transcripts = fc.constantFrom(
    ...(["intact", "damaged", "missing", "unrecorded"] as const),
  );
  const can = fc.record({ resume: fc.boolean(), load: fc.boolean() });
  const barred = fc.constantFrom(undefined, "it is open elsewhere");
  fc.assert(
    fc.property(can, transcripts, barred, (told, transcript, why) => {
      const facts = { abilities: told, transcript, barred: why };
      const opening = openingOf({ ...facts, token: "t" });
      const isSound = transcript === "intact" || transcript === "unrecorded";
      const isNative = (told.resume || told.load) && isSound && !why;
      assert.equal(opening.kind, isNative ? "native" : "new");
      if (opening.kind === "new") return assert.notEqual(opening.failed, null);
      assert.ok(told[opening.by], "only what the agent can do is asked of it");
      assert.deepEqual(openingOf({ ...facts, token: null }), {
        kind: "new",
        failed: null,
      });
    }),
    { seed: Number(process.env["SEED"] ?? 1) },
  );
});
