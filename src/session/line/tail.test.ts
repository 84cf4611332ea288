import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TAIL_MARKS } from "../../contract/session/line.ts";
import { expected, steps } from "../fixtures/random-steps.ts";
import { marksIn, NATIVE, turn, turns } from "../fixtures/line-stories.ts";
import { Story } from "../testing.ts";
import { listedViewOf } from "../view/listed-view.ts";
import { viewOf } from "../view/view.ts";
import { smallOf } from "./marks.ts";

const all = [...steps, expected];
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant(all.length - 1) },
  { weight: 1, arbitrary: fc.nat(steps.length - 1) },
);

test("[SES-179] the tail of a session is the end of its line", () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 60, maxLength: 160, size: "max" }),
      (sequence) => {
        const story = new Story({ checkpoints: true });
        sequence.forEach((index, i) => {
          const next = all[index];
          if (next !== undefined) story.when(next(story, i + 1));
        });
        const tail = marksIn(story).slice(-TAIL_MARKS).map(smallOf);
        assert.deepEqual(viewOf(story.state).line_tail, tail);
      },
    ),
    { numRuns: 20, seed: Number(process.env["SEED"] ?? 1) },
  );
});

test("[SES-179] lists show marks by their shapes, and as many however long a session is", () => {
  const story = turns(1).die().queue(2).begin().ready(NATIVE);
  assert.deepEqual(listedViewOf(story.state).line_tail, [
    { kind: "start" },
    {
      kind: "turn",
      turn: 1,
      outcome: "completed",
      memory: "own",
      behind: false,
      capture: "saved",
      changed: null,
    },
    { kind: "break", grade: "native" },
    {
      kind: "turn",
      turn: 2,
      outcome: "running",
      memory: "own",
      behind: false,
      capture: null,
      changed: null,
    },
  ]);
  story.deliver(2).endTurn(2).captured(3);
  const sizes = [3, 40].map((last) => {
    for (let n = story.state.turns.last + 1; n <= last; n += 1) turn(story, n);
    return JSON.stringify(story.state.line).length;
  });
  const [, long = 0] = sizes;
  assert.equal(viewOf(story.state).line_tail.length, TAIL_MARKS);
  assert.ok(long < 4000, `the state holds ${long} characters of it`);
});
