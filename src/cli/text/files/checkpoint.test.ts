import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleCheckpoint } from "../../fixtures/sample.ts";
import { checkpointTable, checkpointWords } from "./checkpoint.ts";
import { palette } from "../../terminal/palette.ts";
import { duration, size } from "../../terminal/size.ts";

const now = new Date("2026-03-01T12:03:00.000Z");
const out = {
  write: () => undefined,
  drained: async () => undefined,
  isTerminal: false,
  columns: null,
  palette: palette(false),
};

test("[CPT-3] the list says what came of each, and what one lacks", () => {
  const list = checkpointTable(
    [
      sampleCheckpoint(5, { kind: "baseline", turn: 0 }),
      sampleCheckpoint(12, {
        outcome: "partial",
        unstable: ["a.log"],
        unreadable: ["secret\u001b[31m"],
      }),
      sampleCheckpoint(16, {
        left_out: [
          { path: "node_modules", reason: "it is named in .repriseignore" },
          { path: "tmp", reason: "it is named in .repriseignore" },
        ],
      }),
      sampleCheckpoint(20, {
        turn: 2,
        outcome: "failed",
        tree: null,
        reason: "the disk is full",
      }),
    ],
    out,
    now,
  );
  assert.equal(
    list,
    [
      "ID      TURN  KIND      OUTCOME  FILES  SIZE     NEW    TOOK  AGE    NOTE",
      "chk_5   0     baseline  saved    12     4.0 KiB  100 B  7 ms  3 min",
      "chk_12  1     turn      partial  12     4.0 KiB  100 B  7 ms  3 min  lacks 2 files: a.log",
      "chk_16  1     turn      saved    12     4.0 KiB  100 B  7 ms  3 min  leaves out 2 paths: node_modules",
      "chk_20  2     turn      failed                          7 ms  3 min  the disk is full",
      "",
    ].join("\n"),
  );
});

test("[CPT-3] the newest that can be gone back to is named, and so is a failure since", () => {
  const words = (...overrides: Parameters<typeof sampleCheckpoint>[1][]) =>
    checkpointWords(
      overrides.map((each, i) => sampleCheckpoint(i + 1, each)),
      now,
    );
  assert.equal(words(), null);
  assert.equal(words({}), "chk_1, after turn 1, 3 min ago");
  assert.equal(
    words({ kind: "baseline", turn: 0 }),
    "chk_1, before the first turn, 3 min ago",
  );
  assert.equal(
    words({}, { turn: 2, outcome: "failed", tree: null, reason: "no room" }),
    "chk_1, after turn 1, 3 min ago\nthe newest failed 3 min ago: no room",
  );
  assert.match(
    words({ outcome: "failed", tree: null, reason: "no room" }) ?? "",
    /^none could be taken\nthe newest failed/,
  );
});

test("sizes and durations have the unit that suits them", () => {
  assert.deepEqual(
    [0, 1023, 1024, 10_240, 1_500_000, 3 * 1024 ** 3, 2 * 1024 ** 5].map(size),
    ["0 B", "1023 B", "1.0 KiB", "10 KiB", "1.4 MiB", "3.0 GiB", "2048 TiB"],
  );
  assert.deepEqual([0.4, 999, 1400].map(duration), ["0 ms", "999 ms", "1.4 s"]);
});
