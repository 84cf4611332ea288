import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Line, LineSplitter } from "./ndjson.ts";

/** Cuts a file into chunks at these places and splits them. */
const split = (bytes: Buffer, cuts: readonly number[], limit?: number) => {
  const splitter = new LineSplitter(0, limit);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))];
  const ends = [...places.sort((a, b) => a - b), bytes.length];
  const lines: Line[] = [];
  let from = 0;
  for (const end of ends) {
    // A buffer that is used again: what the splitter keeps must be its own.
    const chunk = Buffer.from(bytes.subarray(from, end));
    lines.push(...splitter.push(chunk));
    chunk.fill(0);
    from = end;
  }
  return { lines, rest: splitter.rest() };
};

test("lines are the same however the bytes are cut, in the middle of a character too", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.nat()), (texts, cuts) => {
      const wanted = texts.map((it) => it.replaceAll("\n", " "));
      const bytes = Buffer.from(wanted.map((it) => `${it}\n`).join(""));
      const { lines, rest } = split(bytes, cuts);
      assert.deepEqual(
        lines.map((it) => it.bytes.toString("utf8")),
        wanted,
      );
      assert.equal(rest, null);
    }),
  );
});

test("ranges touch and count bytes, newline included", () => {
  const { lines, rest } = split(Buffer.from("é\n\nabc\nunfin"), [1, 5]);
  assert.deepEqual(
    [...lines, rest].map((it) => [it?.from, it?.to]),
    [
      [0, 3],
      [3, 4],
      [4, 8],
      [8, 13],
    ],
  );
  assert.equal(rest?.bytes.toString(), "unfin");
});

test("a line over the limit is cut, and the next one is whole", () => {
  const long = "x".repeat(300_000);
  const bytes = Buffer.from(`${long}\nnext\n`);
  const cuts = [70_000, 140_000, 210_000, 290_000];
  const { lines } = split(bytes, cuts, 100_000);
  assert.deepEqual(
    lines.map(({ cut, from, to }) => [cut, from, to]),
    [
      [true, 0, 300_001],
      [false, 300_001, 300_006],
    ],
  );
  assert.ok((lines[0]?.bytes.length ?? 0) <= 64 * 1024);
  assert.equal(lines[1]?.bytes.toString(), "next");
});

test("of a line that is longer than the limit both ends are kept, however the bytes are cut", () => {
  const bytes = Buffer.from(`begin${"x".repeat(100_000)}end\nshort\n`);
  for (const cuts of [[], [10], [4, 70_000, 100_007], [100_008]]) {
    const { lines } = split(bytes, cuts, 1000);
    const [long, short] = lines;
    assert.equal(long?.cut, true);
    assert.match(long.bytes.toString(), /^beginx+$/);
    assert.match(long.end?.toString() ?? "", /^x+end$/);
    assert.ok((long.end?.length ?? 0) <= 4096);
    assert.equal(short?.bytes.toString(), "short");
    assert.equal(short?.end, undefined);
  }
});
