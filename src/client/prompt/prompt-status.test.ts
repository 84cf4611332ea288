import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PromptId } from "../../contract/base/id.ts";
import type { Prompt } from "../../contract/session/prompt.ts";
import {
  expected,
  rareSteps,
  steps,
} from "../../session/fixtures/random-steps.ts";
import { abilities, prompt, Story } from "../../session/testing.ts";
import { viewOf } from "../../session/view/view.ts";
import {
  folded,
  followedAll,
  promptOf,
  queuedIn,
  shown,
} from "../fixtures/known-prompts.ts";
import {
  afterEvent,
  noPrompts,
  promptsOf,
  withPrompt,
  withView,
} from "./prompt-phases.ts";
import {
  isOpen,
  needsView,
  newestPrompt,
  type PromptStatus,
  statusOf,
} from "./prompt-status.ts";

const LATER = "2026-01-01T05:00:00.000Z";

const cutByQuota = (on_quota: string): Story =>
  new Story({ on_quota }).up().queue(1).deliver(1).useUp(1, LATER);

const running = (overrides = {}): Story =>
  new Story(overrides).up().queue(1).deliver(1);

const cases: [string, () => Story, PromptStatus["kind"]][] = [
  ["nobody queued it yet", () => new Story(), "queued"],
  ["it waits for its agent", () => new Story().queue(1), "queued"],
  ["its turn runs", () => running(), "running"],
  ["its turn ended", () => running().endTurn(1), "ended"],
  [
    "its turn was cancelled",
    () => running().given({ type: "turn.cancel" }).endTurn(1, "cancelled"),
    "ended",
  ],
  ["its agent died", () => running().die(), "interrupted"],
  [
    "its agent died, and the session goes on",
    () => running({ on_interrupt: "continue" }).die(),
    "goes_on",
  ],
  [
    "it was to go on, and somebody paused the session",
    () =>
      running({ on_interrupt: "continue" })
        .die()
        .given({ type: "session.pause", reason: "paused" }),
    "interrupted",
  ],
  ["a quota cut it off: wait", () => cutByQuota("wait"), "interrupted"],
  ["a quota cut it off: continue", () => cutByQuota("continue"), "goes_on"],
  ["a quota cut it off: handoff", () => cutByQuota("handoff:a"), "goes_on"],
  [
    "a quota cut it off, and somebody dropped it",
    () =>
      cutByQuota("continue").given({
        type: "prompt.resolve",
        prompt_id: prompt(1),
        action: "drop",
        by: null,
      }),
    "withdrawn",
  ],
  [
    "another prompt continues it",
    () =>
      cutByQuota("continue").given({
        type: "prompt.resolve",
        prompt_id: prompt(1),
        action: "continue",
        by: { prompt_id: prompt(2), content: [{ type: "text", text: "on" }] },
      }),
    "running",
  ],
  [
    "nobody knows whether the agent took it",
    () =>
      new Story()
        .up()
        .queue(1)
        .report({
          kind: "ended",
          range: null,
          ending: { kind: "killed", signal: "SIGKILL" },
          stderr_tail: "",
          not_taken: [],
          journal_damaged: true,
        }),
    "uncertain",
  ],
  [
    "it was taken back",
    () =>
      new Story()
        .queue(1)
        .given({ type: "prompt.cancel", prompt_id: prompt(1) }),
    "withdrawn",
  ],
  [
    "the session is paused before its turn",
    () =>
      new Story().queue(1).given({ type: "session.pause", reason: "paused" }),
    "paused",
  ],
  [
    "the session is put into the trash before its turn",
    () =>
      new Story()
        .queue(1)
        .given(
          { type: "session.pause", reason: "paused" },
          { type: "session.delete" },
        ),
    "session_deleted",
  ],
  [
    "the budget is used up before its turn",
    () =>
      new Story({ budget: { turns: 1 } })
        .up()
        .queue(2)
        .ask(1)
        .deliver(2)
        .endTurn(2),
    "budget_reached",
  ],
];

/** Prompt 1 is held by a quota that cut prompt 2 off. */
const held = (on_quota: string): Story =>
  new Story({ on_quota }).up().queue(2).deliver(2).useUp(2, LATER).ask(1);

const heldAtRest = (on_quota: string): Story =>
  held(on_quota).given({ type: "session.rest" }).die([], { kind: "stopped" });

const heldAndPaused = (on_quota: string): Story =>
  held(on_quota)
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });

test("[SES-158] a prompt that a quota holds waits until the quota is filled, also where its agent is stopped for idleness", () => {
  const at = (story: Story) => statusOf(folded(story, prompt(1)), prompt(1));
  const waits = { kind: "waits", until: LATER };
  for (const on_quota of ["wait", "continue"]) {
    assert.deepEqual(at(held(on_quota)), waits);
    assert.deepEqual(at(heldAtRest(on_quota)), waits);
    const woken = heldAtRest(on_quota).ask(3);
    assert.equal(woken.name, "STARTING");
    assert.deepEqual(at(woken), waits);
  }
  assert.deepEqual(at(heldAndPaused("wait")), { kind: "paused" });
  // The turn that was cut off goes on at its time all the same, and then the prompts behind it.
  assert.deepEqual(at(heldAndPaused("continue")), waits);
  const resumed = heldAndPaused("wait");
  resumed.given({ type: "session.resume", trigger: "request" });
  assert.deepEqual(at(resumed), waits);
});

test("[SES-158] while the last call of a budget still streams, the session is read once for a prompt that waits", () => {
  const story = new Story({ budget: { turns: 1 } }).up().queue(2).ask(1);
  story.deliver(2).endTurn(2);
  const spent = folded(story, prompt(1));
  assert.equal(statusOf(spent, prompt(1)).kind, "budget_reached");
  const [, ...rest] = story.events;
  const next = rest.find(({ type }) => type === "session.turn.ended");
  assert.ok(next !== undefined);
  const later = afterEvent(spent, { ...next, seq: spent.seq + 1 });
  assert.equal(needsView(later, prompt(1)), false);
  assert.equal(statusOf(later, prompt(1)).kind, "budget_reached");
});

for (const [name, tell, kind] of cases)
  test(`[SES-142] ${name}: ${kind}`, () => {
    const story = tell();
    const prompts = folded(story, prompt(1));
    assert.equal(statusOf(prompts, prompt(1)).kind, kind);
  });

/** Agent `a` goes on with the turn that a quota cut off, and cannot be started. */
const standInFailed = (on_quota: string): Story => {
  const story = cutByQuota(on_quota);
  story.given({
    type: "quota.hand_over",
    to: "a",
    prompt_id: prompt(1),
    by: { prompt_id: prompt(2), content: [{ type: "text", text: "on" }] },
    definition: { ...story.state.agent.definition, agent: "a" },
    abilities: abilities({ resume: false, load: false }),
  });
  if (story.state.execution !== null) story.die([], { kind: "stopped" });
  return story
    .begin()
    .report({
      kind: "start_failed",
      range: null,
      failure: "restriction_not_held",
      message: "The tools cannot be held.",
    })
    .die();
};

test("[SDK-20] a prompt whose stand-in could not be started goes on with the next agent, if there is one", () => {
  const at = (story: Story) => statusOf(folded(story, prompt(1)), prompt(1));
  assert.deepEqual(at(standInFailed("handoff:a,b")), {
    kind: "goes_on",
    at: null,
  });
  assert.deepEqual(at(standInFailed("handoff:a")), {
    kind: "goes_on",
    at: LATER,
  });
});

test("[SES-142] a turn that goes on says when", () => {
  const at = (story: Story) => statusOf(folded(story, prompt(1)), prompt(1));
  assert.deepEqual(at(cutByQuota("continue")), { kind: "goes_on", at: LATER });
  assert.deepEqual(at(cutByQuota("handoff:a")), { kind: "goes_on", at: null });
});

test("[SES-142] where the decision about a cut turn is in no event, it is not waited for", () => {
  const story = cutByQuota("continue");
  const prompts = story.events.reduce(afterEvent, noPrompts);
  const { last_seq, ...view } = viewOf(story.state);
  const decided = { ...view, unresolved_prompts: [] };
  const seenAt = (seq: number) =>
    statusOf(withView(prompts, { ...decided, last_seq: seq }), prompt(1)).kind;
  assert.equal(seenAt(last_seq + 1), "goes_on", "its event is to come");
  assert.equal(seenAt(last_seq), "interrupted");
  assert.equal(seenAt(last_seq - 3), "interrupted", "a view that is behind");
});

test("[SES-142] [SDK-2] the end of a turn counts where the prompt says so too", () => {
  const story = running();
  const session = viewOf(story.state);
  const before = promptOf(story, prompt(1));
  const end = story
    .endTurn(1)
    .events.find((event) => event.type === "session.turn.ended");
  assert.ok(end !== undefined);
  const at = (shownPrompt: Prompt) =>
    statusOf(withPrompt(promptsOf(session), shownPrompt, end, []), prompt(1))
      .kind;
  assert.deepEqual(
    [at(before), at(promptOf(story, prompt(1)))],
    ["running", "ended"],
  );
});

test("[SES-142] an answer that comes while the session has gone on already is not believed", () => {
  const story = new Story()
    .queue(1)
    .given({ type: "session.pause", reason: "paused" });
  const paused = story.events.reduce(afterEvent, noPrompts);
  story.given({ type: "session.resume", trigger: "request" });
  const seen = withView(paused, viewOf(story.state));
  assert.deepEqual(
    [paused, seen].map((each) => statusOf(each, prompt(1)).kind),
    ["paused", "queued"],
  );
});

test("[SES-142] event by event and from what the server shows, every prompt of a random story stands the same", () => {
  const all = [...steps, ...rareSteps, expected];
  const reached = new Set<string>();
  const check = (story: Story, ids: readonly PromptId[]): void => {
    for (const id of ids) {
      const one = folded(story, id);
      const newest = newestPrompt(one, id);
      const status = statusOf(one, id);
      reached.add(status.kind);
      assert.deepEqual(
        status,
        statusOf(shown(story, newest), newest),
        story.types().join(" "),
      );
      assert.equal(needsView(shown(story, newest), newest), false);
      if (isOpen(status)) reached.add("open");
    }
  };
  const step = fc.oneof(
    { weight: 60, arbitrary: fc.constant(all.length - 1) },
    { weight: 60, arbitrary: fc.nat(steps.length - 1) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: steps.length, max: all.length - 2 }),
    },
  );
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 10, maxLength: 60, size: "max" }),
      (sequence) => {
        const story = new Story({
          checkpoints: sequence.length % 2 === 0,
          ...(sequence.length % 3 === 0 && { on_quota: "handoff:a,b" }),
          ...(sequence.length % 3 === 1 && { on_interrupt: "continue" }),
          ...(sequence.length % 3 === 2 && { on_quota: "wait" }),
        });
        let known = noPrompts;
        let from = 0;
        sequence.forEach((index, i) => {
          const next = all[index];
          if (next !== undefined) story.when(next(story, i + 1));
          known = followedAll(known, story, from, queuedIn(story));
          from = story.events.length;
        });
        check(story, queuedIn(story));
        for (const id of queuedIn(story))
          assert.deepEqual(
            statusOf(known, id),
            statusOf(folded(story, id), id),
            story.types().join(" "),
          );
      },
    ),
    { numRuns: 400, seed: Number(process.env["SEED"] ?? 1) },
  );
  for (const kind of [
    "queued",
    "running",
    "needs_permission",
    "goes_on",
    "ended",
    "interrupted",
    "uncertain",
    "withdrawn",
    "paused",
    "start_failed",
    "session_deleted",
    "waits",
  ])
    assert.ok(reached.has(kind), `no story comes to ${kind}`);
});
