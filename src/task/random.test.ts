import assert from "node:assert/strict";
import { test } from "node:test";
import { intend, keyOf, type SendIntent } from "./intend.ts";
import { openAttempt } from "./state.ts";
import {
  idsOf,
  retrySession,
  sessionId,
  TaskStory,
} from "./fixtures/task-story.ts";

/** The same numbers for the same seed (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const MARKER = "marker-of-the-description";
const outcomes = [
  "completed",
  "cancelled",
  "refused",
  "failed",
  "interrupted",
] as const;
const states = [
  "STARTING",
  "RUNNING",
  "WAITING_FOR_INPUT",
  "PAUSED",
  "ERROR",
  "CANCELLED",
] as const;

/** Random things happen to a task; what is sent is what its sessions would have got. */
const live = (seed: number) => {
  const random = randomOf(seed);
  const story = new TaskStory({
    description: MARKER,
    retry: { limit: 2, backoff_seconds: 1, most_seconds: 9, fresh_after: 2 },
    timeout_minutes: 1,
  });
  const told = new Map<string, string[]>();
  const sent = new Set<string>();
  let next = 1;
  const send = (intent: SendIntent): void => {
    const session_id = intent.session_id ?? sessionId(++next);
    const { attempt_id, prompt_id, waits } = intent;
    if (!waits) {
      assert.ok(!sent.has(prompt_id), `sent twice: ${prompt_id}`);
      sent.add(prompt_id);
      told.set(session_id, [...(told.get(session_id) ?? []), intent.text]);
    }
    story.when({ type: "prompt.queued", attempt_id, session_id, prompt_id });
  };
  const steps: (() => unknown)[] = [
    () => story.run(++next),
    () => {
      const modes = ["continue", "fresh", null] as const;
      const id = currentSession(story);
      const session = id === null ? null : retrySession({ id });
      return story.retry(++next, modes[random(3)] ?? null, session);
    },
    () => {
      const id = currentSession(story);
      return story.when({
        type: "context.add",
        contexts: [{ text: `context-${++next}.` }],
        ids: idsOf(++next),
        session: id === null ? null : retrySession({ id }),
      });
    },
    () => {
      const id = currentSession(story);
      const session = id === null ? null : retrySession({ id });
      return story.when({ type: "task.wake", ids: idsOf(++next), session });
    },
    () => {
      const id = currentSession(story);
      const prompts = openAttempt(story.state)?.prompts ?? [];
      const prompt = prompts[random(Math.max(1, prompts.length))]?.id ?? null;
      if (id === null) return null;
      const isOver = prompt !== null && random(2) === 0;
      const outcome = outcomes[random(outcomes.length)] ?? "failed";
      return story.observe({
        id,
        state: states[random(states.length)] ?? "RUNNING",
        has_turns: random(2) === 0,
        waiting: isOver || prompt === null ? [] : [prompt],
        working_on: isOver ? null : prompt,
        over: isOver
          ? [{ prompt_id: prompt, outcome, reason: null, not_before: null }]
          : [],
        is_captured: random(4) > 0,
      });
    },
    () => {
      for (const intent of intend(story.state)) {
        if (intent.kind === "send") send(intent);
        if (intent.kind === "review") story.reviewed();
      }
    },
  ];
  for (let step = 0; step < 60; step++) {
    story.at(step * 7);
    steps[random(steps.length)]?.();
    check(story);
  }
  story.checkFold();
  checkChain(story);
  letEnd(story, send);
  return told;
};

/** Sessions finish what they have, and whatever is intended is done: then no attempt stays open. */
const letEnd = (story: TaskStory, send: (intent: SendIntent) => void): void => {
  for (let n = 0; n < 20 && openAttempt(story.state) !== null; n++) {
    for (const intent of intend(story.state)) {
      if (intent.kind === "send") send(intent);
      if (intent.kind === "review") story.reviewed();
    }
    const open = openAttempt(story.state);
    if (open?.session_id == null) continue;
    story.observe({
      id: open.session_id,
      state: "WAITING_FOR_INPUT",
      has_turns: true,
      over: open.prompts
        .filter(({ is_sent, over }) => is_sent && over === null)
        .map(({ id }) => ({
          prompt_id: id,
          outcome: "completed",
          reason: null,
          not_before: null,
        })),
    });
  }
  assert.equal(openAttempt(story.state), null, "an attempt stays open");
};

const currentSession = (story: TaskStory) =>
  story.state.attempts.at(-1)?.session_id ?? null;

const checkChain = ({ told, state }: TaskStory): void => {
  let before = "TODO";
  for (const { from, to } of told) {
    assert.equal(from, before);
    assert.notEqual(from, to);
    before = to;
  }
  assert.equal(state.last_reported_state, before);
};

const check = (story: TaskStory): void => {
  const { attempts } = story.state;
  const open = attempts.filter(({ progress }) => progress.kind !== "ended");
  assert.ok(open.length <= 1, "two attempts are open");
  assert.ok(open.length === 0 || open[0] === attempts.at(-1));
  const keys = intend(story.state).map(keyOf);
  assert.equal(new Set(keys).size, keys.length);
};

test("[TSK-6] [TSK-8] [TSK-10] [TSK-20] [TSK-14] whatever happens, no session is told anything of the task twice, and every attempt ends", () => {
  for (let seed = 1; seed <= 400; seed++)
    for (const texts of live(seed).values()) {
      const all = texts.join("\n");
      assert.ok(all.split(MARKER).length <= 2, `seed ${seed}: ${all}`);
      const contexts = all.match(/context-\d+\./g) ?? [];
      assert.equal(new Set(contexts).size, contexts.length, `seed ${seed}`);
    }
});
