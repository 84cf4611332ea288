import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Event } from "../../contract/event/event.ts";
import { LineAnswer, type Mark } from "../../contract/session/line.ts";
import { expected, rareSteps, steps } from "../fixtures/random-steps.ts";
import type { State } from "../state/state.ts";
import { turnsOnLine } from "../state/turns.ts";
import { Story } from "../testing.ts";
import { evolveLine, initialLine } from "./line.ts";
import { answerOf, lineFrom, lineOf, marksOf } from "./marks.ts";
import { marksAfter } from "./preview.ts";
import type { Line } from "../state/line.ts";

const all = [...steps, ...rareSteps, expected];
const step = fc.oneof(
  { weight: 60, arbitrary: fc.constant(all.length - 1) },
  { weight: 40, arbitrary: fc.nat(steps.length - 1) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: steps.length, max: all.length - 2 }),
  },
);

/** The turns of a journal, by its events alone: begun, and not given back since. */
const turnsHad = (events: readonly Event[]): number[] => {
  const had = new Set<number>();
  for (const event of events) {
    if (event.type === "session.turn.started") had.add(event.data.turn);
    if (event.type === "session.prompt.requeued") had.delete(event.data.turn);
  }
  return [...had].toSorted((a, b) => a - b);
};

/** Executions that ended unasked, those without a life between them counted once. */
const deaths = (events: readonly Event[]): number => {
  let count = 0;
  let asked = false;
  let isDead = false;
  for (const event of events)
    switch (event.type) {
      case "session.execution.started":
        asked = false;
        break;
      case "session.execution.stopping":
        asked = true;
        break;
      case "session.agent.ready":
        isDead = false;
        break;
      case "session.execution.ended":
        if (asked || event.data.ending.kind === "stopped") break;
        if (!isDead) count += 1;
        isDead = true;
        break;
      default:
    }
  return count;
};

const checkMemory = (marks: readonly Mark[], state: State): void => {
  const running =
    state.lifecycle.name === "RUNNING" ? state.lifecycle.turn.number : null;
  const known = marks.flatMap((mark) =>
    mark.kind === "turn" && !mark.behind && mark.turn !== running
      ? [mark.memory]
      : [],
  );
  if (state.prompts.before_next.inject && running === null)
    assert.ok(
      known.every((memory) => memory === "told"),
      `a history is to be told, and the turns are ${known.join(" ")}`,
    );
};

const check = (story: Story): void => {
  const { events, state } = story;
  const marks = lineOf(events);
  const turns = marks.filter((mark) => mark.kind === "turn");
  assert.deepEqual(
    turns.map((mark) => mark.turn),
    turnsHad(events),
    "[SES-171] each turn once",
  );
  assert.deepEqual(
    turns.filter(({ behind }) => !behind).map((mark) => mark.turn),
    turnsOnLine(state),
    "[SES-175] the line is the state's",
  );
  assert.equal(
    marks.filter(({ kind }) => kind === "break").length,
    deaths(events),
    "[SES-172] a gap is a death",
  );
  checkMemory(marks, state);
  for (const mark of turns)
    if (mark.behind) assert.equal(mark.memory, "none", "[SES-175]");
};

/** After a resume, the grade says what the turns before it are. */
const checkGrade = (
  before: readonly Mark[],
  event: Event,
  after: readonly Mark[],
): void => {
  if (event.type !== "session.resumed") return;
  const { resume, forgotten = 0 } = event.data;
  const memory = (marks: readonly Mark[]): string[] =>
    marks.flatMap((mark) =>
      mark.kind === "turn" && !mark.behind ? [mark.memory] : [],
    );
  const [was, is] = [memory(before), memory(after)];
  if (resume.grade === "fresh") assert.ok(is.every((each) => each === "none"));
  else if (resume.grade === "injected")
    assert.ok(is.every((each) => each === "told"));
  else {
    const changed = is.filter((each, i) => each !== was[i]);
    assert.ok(changed.every((each) => each === "told"));
    assert.ok(changed.length <= forgotten, "[SES-174] only what it forgot");
  }
};

/** What was shown before a rewind is what came of it. */
const checkPreview = (
  before: Line,
  event: Event,
  after: readonly Mark[],
): void => {
  if (event.type !== "session.rewound") return;
  const { turn, memory, changes } = event.data;
  const conversation = memory === null ? "injected" : "native";
  const plan = { turn, conversation, files: changes, at: event.at } as const;
  assert.deepEqual(marksAfter(before, plan), after, "[SES-183]");
};

test("[SES-170] [SES-171] [SES-172] [SES-174] [SES-175] [SES-183] the line of a random story agrees with its journal and its state", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 10, maxLength: 80, size: "max" }),
      (sequence) => {
        const story = new Story({ checkpoints: sequence.length % 2 === 0 });
        sequence.forEach((index, i) => {
          const next = all[index];
          if (next !== undefined) story.when(next(story, i + 1));
        });
        check(story);
        let line = initialLine;
        for (const event of story.events) {
          const before = line;
          line = evolveLine(line, event);
          const marks = marksOf(line);
          checkGrade(marksOf(before), event, marks);
          checkPreview(before, event, marks);
          for (const { kind } of marks) reached.add(kind);
          const answer: unknown = JSON.parse(JSON.stringify(answerOf(line)));
          assert.deepEqual(LineAnswer.parse(answer), answer);
          line = lineFrom(LineAnswer.parse(answer));
          assert.equal(evolveLine(line, event), line, "[SES-170] once");
        }
        assert.deepEqual(marksOf(line), lineOf(story.events));
      },
    ),
    { numRuns: 150, seed: Number(process.env["SEED"] ?? 1) },
  );
  assert.deepEqual([...reached].toSorted(), [
    "break",
    "ended",
    "handed_off",
    "rest",
    "rewound",
    "start",
    "tick",
    "turn",
  ]);
});
