import assert from "node:assert/strict";
import { test } from "node:test";
import { age, ago, count } from "./age.ts";
import { fields, table } from "./table.ts";
import { cut, width } from "./width.ts";

const cells = (rows: string[][]) =>
  rows.map((row) => row.map((text) => ({ text })));

test("columns are aligned by what a terminal shows, not by code units", () => {
  assert.equal(
    table(
      cells([
        ["id", "x"],
        ["日本", "y"],
        ["e\u0301🎻", "z"],
      ]),
      null,
    ),
    "id    x\n日本  y\ne\u0301🎻   z\n",
  );
});

test("the last column is cut to the terminal's width, the others never", () => {
  const rows = cells([["ses_1", "the quick brown fox"]]);
  assert.equal(table(rows, 17), "ses_1  the quick…\n");
  assert.equal(table(rows, 5), "ses_1\n");
  assert.equal(table(rows, null), "ses_1  the quick brown fox\n");
});

test("colours do not count as width", () => {
  const paint = (text: string): string => `<${text}>`;
  assert.equal(
    table(
      [
        [{ text: "a", paint }, { text: "b" }],
        [{ text: "cc" }, { text: "d" }],
      ],
      80,
    ),
    "<a>   b\ncc  d\n",
  );
});

test("a field of several lines stays in its column", () => {
  assert.equal(
    fields(
      [
        ["state", "PAUSED"],
        ["do", "one\ntwo"],
      ],
      (text) => text,
    ),
    "  state  PAUSED\n  do     one\n         two\n",
  );
});

test("wide characters are cut whole", () => {
  assert.equal(width("日本語"), 6);
  assert.equal(cut("日本語", 6), "日本語");
  assert.equal(cut("日本語", 5), "日本…");
  assert.equal(cut("日本語", 4), "日…");
  assert.equal(cut("x", 0), "");
  assert.equal(width("👩‍👩‍👧"), 2);
});

test("ages are in one unit", () => {
  const now = new Date("2026-03-03T12:00:00Z");
  const at = (ms: number): string => new Date(now.getTime() - ms).toISOString();
  assert.equal(age(at(4_000), now), "now");
  assert.equal(age(at(40_000), now), "40 s");
  assert.equal(age(at(180_000), now), "3 min");
  assert.equal(age(at(7_200_000), now), "2 h");
  assert.equal(age(at(3 * 86_400_000), now), "3 d");
  assert.equal(age(at(-60_000), now), "now");
  assert.equal(ago(at(0), now), "just now");
  assert.equal(ago(at(180_000), now), "3 min ago");
  assert.deepEqual(
    [count(1, "agent"), count(2, "agent")],
    ["1 agent", "2 agents"],
  );
});
