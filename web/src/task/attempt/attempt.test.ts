import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AttemptId,
  PromptId,
  SessionId,
  TaskId,
} from "../../../../src/contract/base/id.ts";
import type {
  NewTaskEvent,
  TaskEvent,
} from "../../../../src/contract/task/task-event.ts";
import type { Attempt } from "../../../../src/contract/task/task.ts";
import { spentWords } from "./spent-words.ts";
import { axisOf, tickWords } from "./time-axis.ts";
import { spentBy, trackOf } from "./track.ts";
import { turnRange } from "./turn-range.ts";

const id = (prefix: string, number: number): string =>
  `${prefix}_${String(number).padStart(26, "0")}`;
const BEGIN = Date.parse("2026-11-18T12:00:00.000Z");
const at = (seconds: number): string =>
  new Date(BEGIN + seconds * 1000).toISOString();
const task_id = TaskId.parse(id("tsk", 1));
const prompt_id = PromptId.parse(id("prm", 1));
const session_id = SessionId.parse(id("ses", 1));
const attempt_id = (number: number) => AttemptId.parse(id("att", number));

const anAttempt = (number: number, more: Partial<Attempt> = {}): Attempt => ({
  id: attempt_id(number),
  task_id,
  number,
  mode: "first",
  agent: "demo",
  session_id,
  agent_session_id: null,
  prompt_ids: [prompt_id],
  context_version: 1,
  state: "ended",
  files_changed: null,
  started_at: at(0),
  ended_at: at(10),
  outcome: "interrupted",
  ...more,
});

const told = (...events: [number, NewTaskEvent][]): TaskEvent[] =>
  events.map(([seconds, event], i) => ({
    ...event,
    seq: i + 1,
    at: at(seconds),
    task_id,
  }));

const clock = (is_working: boolean): NewTaskEvent => ({
  type: "task.attempt.clock",
  data: { attempt_id: attempt_id(1), is_working, worked_ms: 0 },
});

const over = (code: string): NewTaskEvent => ({
  type: "task.prompt.over",
  data: {
    attempt_id: attempt_id(1),
    prompt_id,
    outcome: "interrupted",
    reason: { code, text: "It was killed." },
    not_before: null,
  },
});

test("[PAG-181] an attempt is drawn at its true times: until it has the prompt, at work, waiting", () => {
  const events = told(
    [1, clock(true)],
    [4, clock(false)],
    [6, clock(true)],
    [9, over("interrupted")],
  );
  const { strokes, marks } = trackOf(anAttempt(1), events, 0);
  assert.deepEqual(
    strokes.map(({ from, to, kind }) => [
      (from - BEGIN) / 1000,
      (to - BEGIN) / 1000,
      kind,
    ]),
    [
      [0, 1, "begins"],
      [1, 4, "works"],
      [4, 6, "waits"],
      [6, 10, "works"],
    ],
  );
  assert.deepEqual(
    marks.map(({ kind }) => kind),
    ["cut", "break"],
  );
});

test("[PAG-181] a gap means a death: none where somebody paused it or the quota was used up", () => {
  for (const code of ["paused", "quota"]) {
    const { marks } = trackOf(anAttempt(1), told([9, over(code)]), 0);
    assert.deepEqual(
      marks.map(({ kind }) => kind),
      ["cut"],
    );
  }
  const { ended_at: _, outcome: __, ...open } = anAttempt(1);
  const running = trackOf({ ...open, state: "running" }, [], BEGIN + 3000);
  assert.equal(running.to, BEGIN + 3000);
  assert.equal(running.marks.at(-1)?.kind, "running");
});

test("[PAG-181] one axis: true lengths, and a long pause is cut out and told", () => {
  const axis = axisOf([
    { from: 0, to: 100 },
    { from: 110, to: 200 },
    { from: 100_000, to: 100_100 },
  ]);
  assert.equal(axis.gaps.length, 1);
  assert.equal(axis.gaps[0]?.ms, 99_800);
  assert.equal(axis.place(0), 0);
  assert.ok(Math.abs(axis.place(100_100) - 1) < 1e-9);
  const unit = axis.place(100) - axis.place(0);
  assert.ok(Math.abs(axis.place(100_100) - axis.place(100_000) - unit) < 1e-9);
  assert.ok(axis.place(50_000) < axis.place(100_000));
  assert.deepEqual(axisOf([]).ticks, []);
});

test("[PAG-181] the times at the axis say the day where it is not one day", () => {
  const from = new Date(2026, 10, 30, 23, 59, 30).getTime();
  const words = (to: number): string[] => {
    const axis = axisOf([{ from, to }]);
    return axis.ticks.map((tick) => tickWords(tick.at, axis));
  };
  assert.deepEqual(words(from + 20_000), ["23:59:30", "23:59:50"]);
  assert.deepEqual(words(from + 60_000), [
    "30 November, 23:59:30",
    "1 December, 00:00:30",
  ]);
});

test("[PAG-182] an attempt is told with what it spent by itself, and with the turns it made", () => {
  const spent = (turns: number) => ({
    turns,
    minutes: turns,
    tokens: turns * 1000,
    cost: null,
  });
  const ended = (number: number, turns: number): NewTaskEvent => ({
    type: "task.attempt.ended",
    data: {
      attempt_id: attempt_id(number),
      outcome: "succeeded",
      reason: null,
      agent_session_id: null,
      resume: null,
      files_changed: null,
      files_left_out: 0,
      last_words: null,
      spent: spent(turns),
    },
  });
  const sums = spentBy(
    [anAttempt(1), anAttempt(2)],
    told([1, ended(1, 2)], [2, ended(2, 5)]),
  );
  assert.deepEqual(sums.get(attempt_id(1)), spent(2));
  assert.deepEqual(sums.get(attempt_id(2)), spent(3));
  assert.equal(spentWords(spent(2)), "2 turns · 2 min of work · 2k tokens");
  assert.equal(turnRange([null]), null);
  assert.deepEqual(turnRange([3]), { to: "3" });
  assert.deepEqual(turnRange([2, null, 4]), { from: "1", to: "4" });
});
