import assert from "node:assert/strict";
import { test } from "node:test";
import type { Resume } from "../../../src/contract/agent/resume.ts";
import { smallOf } from "../../../src/session/line/marks.ts";
import { at, sessionId } from "../fixtures/samples.ts";
import { knotRefusals } from "../words/knot-refusals.ts";
import { markSentence } from "../words/mark-words.ts";
import { layoutLine, type LineRow } from "./layout.ts";
import type { Mark, TurnMark } from "./mark.ts";
import { shapeOfTurn } from "./shape.ts";
import { layoutSmall, PITCH } from "./small-layout.ts";

const native: Resume = {
  path: "fast",
  strategy: "native",
  grade: "native",
  verified: true,
  workspace: "unchanged",
  lost: null,
  took_ms: 700,
};
const now = at(0);
const turn = (number: number, different: Partial<TurnMark> = {}): TurnMark => ({
  kind: "turn",
  at: now,
  turn: number,
  prompt: `Do step ${number}`,
  outcome: "completed",
  memory: "own",
  behind: false,
  changes: { files: 1, added: 2, removed: 0 },
  capture: "saved",
  forks: [],
  ...different,
});
const start: Mark = { kind: "start", at: now, files: 1204 };
const tick: Mark = {
  kind: "tick",
  at: now,
  resume: { ...native, grade: "reattached" },
};
const death = (resume: Resume | null = native): Mark => ({
  kind: "break",
  at: now,
  ending: { kind: "killed", signal: "SIGKILL" },
  turn: 6,
  resume,
  resumed_at: resume === null ? null : now,
});

/** The line of the picture: a tick, two turns left behind, a death and a question. */
const example: Mark[] = [
  start,
  turn(1),
  turn(2),
  tick,
  turn(3),
  turn(4, { behind: true, memory: "none" }),
  turn(5, { behind: true, memory: "none" }),
  { kind: "rewound", at: now, to: 3, files: 14 },
  turn(6, { outcome: "interrupted" }),
  death(),
  turn(7, { outcome: "asks", capture: null }),
];

const keys = (rows: readonly LineRow[]): string[] => rows.map(({ key }) => key);

test("[PAG-50] each mark is a row, with a key that stays", () => {
  const rows = layoutLine(example);
  assert.deepEqual(keys(rows), [
    "start-1",
    "turn-1",
    "turn-2",
    "tick-1",
    "turn-3",
    "turn-4",
    "turn-5",
    "rewound-1",
    "turn-6",
    "break-1",
    "turn-7",
  ]);
  assert.deepEqual(
    rows.map(({ lane }) => lane),
    example.map((mark) =>
      mark.kind === "turn" && mark.behind ? "behind" : "main",
    ),
  );
  assert.deepEqual(
    rows.filter(({ branches }) => branches).map(({ key }) => key),
    ["turn-4"],
  );
});

test("[PAG-50] a gap means a death and nothing else", () => {
  const kinds: Mark[] = [
    tick,
    { kind: "rest", at: now, resume: native, resumed_at: now },
    { kind: "rest", at: now, resume: null, resumed_at: null },
    { kind: "rewound", at: now, to: 1, files: 3 },
    { kind: "handed_off", at: now, to: "codex" },
    death(),
    turn(9),
    turn(9, { behind: true }),
    turn(9, { outcome: "failed" }),
  ];
  for (const one of kinds)
    for (const other of kinds) {
      const rows = layoutLine([start, turn(1), one, other, turn(10)]);
      rows.forEach((row, i) => {
        const next = rows[i + 1];
        assert.equal(row.below, next?.above ?? false);
        if (next === undefined) return;
        const isDeath =
          next.kind === "mark" &&
          next.mark.kind === "break" &&
          next.lane === "main";
        assert.equal(row.below, !isDeath);
      });
    }
});

test("[PAG-51] ink is memory: strokes are what the agent knows of the turn they lead to", () => {
  const memories = layoutLine([
    start,
    turn(1, { memory: "none" }),
    tick,
    turn(2, { memory: "told" }),
    death(),
    turn(3),
    { kind: "rest", at: now, resume: null, resumed_at: null },
  ]).map(({ memory }) => memory);
  assert.deepEqual(memories, [
    "none",
    "none",
    "told",
    "told",
    "own",
    "own",
    "own",
  ]);
});

test("[PAG-51] each outcome has a shape of its own", () => {
  const shape = (different: Partial<TurnMark>) =>
    shapeOfTurn(turn(1, different));
  assert.equal(shape({}), "dot");
  assert.equal(
    shape({ changes: { files: 0, added: 0, removed: 0 } }),
    "small_dot",
  );
  assert.equal(shape({ changes: null }), "dot");
  assert.equal(shape({ outcome: "running" }), "running");
  assert.equal(shape({ outcome: "asks" }), "asks");
  assert.equal(shape({ outcome: "interrupted" }), "cut");
  assert.equal(shape({ outcome: "uncertain" }), "uncertain");
  assert.equal(shape({ outcome: "failed" }), "cross");
  assert.equal(shape({ capture: "failed" }), "not_captured");
});

test("[PAG-52] over 60 marks, runs in which nothing happened are folded, the newest never", () => {
  const turns = (from: number, to: number, different: Partial<TurnMark> = {}) =>
    Array.from({ length: to - from + 1 }, (_, i) => turn(from + i, different));
  const short = [start, ...turns(1, 59)];
  assert.equal(layoutLine(short).length, 60);
  const long = [
    start,
    ...turns(1, 7, { memory: "told" }),
    death(),
    ...turns(8, 41),
    turn(42, { forks: [sessionId(9)] }),
    ...turns(43, 80),
  ];
  const folded = layoutLine(long);
  assert.deepEqual(keys(folded).slice(0, 7), [
    "start-1",
    "fold-1",
    "break-1",
    "fold-8",
    "turn-42",
    "fold-43",
    "turn-69",
  ]);
  const fold = folded[3];
  assert.ok(fold?.kind === "fold");
  assert.deepEqual([fold.from, fold.to, fold.rows.length], [8, 41, 34]);
  const opened = layoutLine(long, new Set(["fold-8"]));
  assert.equal(opened.length, folded.length + 33);
  assert.ok(keys(opened).includes("turn-20"));
});

test("[PAG-53] lists show the newest 14 marks, 13 px apart", () => {
  const marks = Array.from({ length: 30 }, (_, i) => smallOf(turn(i + 1)));
  const { parts, width } = layoutSmall(marks);
  const dots = parts.filter((part) => part.kind === "turn");
  assert.equal(dots.length, 14);
  assert.deepEqual(
    dots.map(({ x }) => x),
    Array.from({ length: 14 }, (_, i) => 5 + i * PITCH),
  );
  assert.equal(width, 5 + 14 * PITCH);
});

test("[PAG-53] also on the short line only a death makes a gap", () => {
  const { parts } = layoutSmall(example.map(smallOf));
  const strokes = parts.filter((part) => part.kind === "stroke");
  const gaps = strokes.flatMap((stroke, i) => {
    const next = strokes[i + 1];
    return next !== undefined && next.from > stroke.to
      ? [[stroke.to, next.from]]
      : [];
  });
  const breaks = parts.filter((part) => part.kind === "break");
  assert.equal(gaps.length, 1);
  assert.ok(
    breaks[0] !== undefined &&
      gaps[0]?.[0] !== undefined &&
      breaks[0].x > gaps[0][0],
  );
  assert.equal(parts.filter(({ kind }) => kind === "branch").length, 1);
});

test("[PAG-54] who does not see the line hears it in sentences", () => {
  const sentences = example.map(markSentence);
  assert.deepEqual(sentences.slice(0, 2), [
    "Started, 1,204 files captured.",
    "Turn 1, completed: Do step 1. 1 file +2. The agent remembers it.",
  ]);
  assert.deepEqual(sentences.slice(3, 6), [
    "The server was restarted. The agent never stopped: found again in 0.7 s, nothing lost.",
    "Turn 3, completed: Do step 3. 1 file +2. The agent remembers it.",
    "Turn 4, completed: Do step 4. 1 file +2. A rewind left it behind.",
  ]);
  assert.deepEqual(sentences.slice(7, 10), [
    "Rewound to turn 3, 14 files.",
    "Turn 6, cut off: Do step 6. 1 file +2. The agent remembers it.",
    "The agent was killed by SIGKILL in turn 6. It restored its own session in 0.7 s. Verified, workspace unchanged.",
  ]);
});

test("[PAG-55] what cannot be done with a turn says why", () => {
  assert.deepEqual(knotRefusals(turn(3), null), {
    diff: null,
    fork: null,
    rewind: null,
  });
  assert.deepEqual(knotRefusals(turn(3), 7), {
    diff: null,
    fork: null,
    rewind: "Rewind when turn 7 is over.",
  });
  const lost = "Turn 3 was not captured.";
  assert.deepEqual(knotRefusals(turn(3, { capture: "failed" }), null), {
    diff: lost,
    fork: lost,
    rewind: lost,
  });
  assert.equal(
    knotRefusals(turn(3, { outcome: "running", capture: null }), 3).fork,
    "Turn 3 is not over.",
  );
});
