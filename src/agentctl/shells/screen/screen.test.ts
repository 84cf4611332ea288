import assert from "node:assert/strict";
import { test } from "node:test";
import xterm from "@xterm/headless";
import { boundCounts } from "../../../kit/data/bound-counts.ts";
import { Screen } from "./screen.ts";
import type { Size, Snapshot } from "./screen-messages.ts";

const SIZE = { cols: 40, rows: 10 };
const nobody = { answer: () => undefined, title: () => undefined };
const bytesOf = (text: string): Uint8Array => Buffer.from(text);

const newScreen = (size: Size = SIZE): Screen =>
  new Screen({ ...size, offset: 0 }, nobody);

/** What a terminal shows: every line, the cursor, and what its keys and its mouse are set to. */
const seen = async (...parts: readonly Uint8Array[]) => {
  const terminal = new xterm.Terminal({
    ...SIZE,
    scrollback: 1000,
    allowProposedApi: true,
  });
  for (const part of parts)
    await new Promise<void>((done) => terminal.write(part, done));
  const { active, normal } = terminal.buffer;
  const lines = (buffer: typeof active) =>
    Array.from({ length: buffer.length }, (_, at) => cells(buffer, at));
  return {
    kind: active.type,
    lines: lines(active).slice(-SIZE.rows),
    above: lines(normal).length,
    cursor: [active.cursorX, active.cursorY],
    modes: terminal.modes,
  };
};

const cells = (
  buffer: xterm.Terminal["buffer"]["active"],
  at: number,
): string => {
  const line = buffer.getLine(at);
  return Array.from({ length: SIZE.cols }, (_, column) => {
    const cell = line?.getCell(column);
    const character = (cell?.getChars() ?? "").trim();
    const look = `${cell?.getFgColor()}${cell?.isBold() ? "b" : ""}`;
    // Nobody sees which colour a space has.
    return character === "" ? " " : `${character}${look}`;
  })
    .join("")
    .trimEnd();
};

const cutAt = async (
  bytes: Uint8Array,
  at: number,
): Promise<{ snapshot: Snapshot; rest: Uint8Array }> => {
  const screen = newScreen();
  await screen.write(bytes.subarray(0, at));
  const snapshot = await screen.snapshot(false);
  screen.close();
  return { snapshot, rest: bytes.subarray(snapshot.offset) };
};

/** Seeded, so that a failure can be repeated. */
const chance = (seed: number): Random => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
};

type Random = (below: number) => number;

/** What a program that prints lines says: they wrap where they are too long. */
const printed = (random: Random): (() => string)[] => [
  () => "word ".repeat(1 + random(12)),
  () => "\r\n",
  () => `\x1b[${30 + random(8)};1m`,
  () => "\x1b[0m",
  () => "ü漢🎉",
  () => "\x1b]0;a title\x07",
  () => "\x1b(0lqqk\x1b(B",
  () => "x\x1b[5b",
  () => "ab\b\b",
  () => "\t",
  () => "\x1b[K",
];

/** What a program with a screen of its own says: it puts each text where it belongs. */
const drawn = (random: Random): (() => string)[] => [
  ...printed(random),
  () => `\x1b[${1 + random(10)};${1 + random(40)}H`,
  () => `\x1b[${1 + random(3)}A`,
  () => "\x1b[2J",
  () => "\x1b[?25l",
  () => "\x1b[?25h",
  () => `\x1b[${1 + random(4)};${6 + random(4)}r`,
  () => "\x1b[r",
  () => "\x1bM",
  () => "\x1b[?1006h\x1b[?1002h",
];

const said = (random: Random, seed: number): string => {
  const isDrawn = seed % 2 === 0;
  const pieces = isDrawn ? drawn(random) : printed(random);
  const text = Array.from({ length: 60 }, () =>
    pieces[random(pieces.length)]?.(),
  );
  return isDrawn
    ? `$ vi\r\n\x1b[?1049h\x1b[?7l\x1b[H${text.join("")}`
    : text.join("");
};

test("[SHL-10] a screen that is drawn from a snapshot and shown the rest is the same, wherever the output is cut", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = chance(seed);
    const bytes = bytesOf(said(random, seed));
    const whole = await seen(bytes);
    for (let cut = 0; cut < 5; cut++) {
      const at = random(bytes.length);
      const { snapshot, rest } = await cutAt(bytes, at);
      assert.ok(snapshot.offset <= at);
      const again = await seen(snapshot.bytes, rest);
      assert.deepEqual(again, whole, `seed ${seed}, cut at ${at}`);
    }
  }
});

test("[SHL-40] a count that no screen is large enough for is worth as much as the largest", async () => {
  const many = 2_147_483_647;
  for (const end of ["@", "I", "L", "M", "P", "S", "T", "X", "Z", " @", " A"])
    for (const begin of ["\x1b[", "\x9b"]) {
      const before = "one\r\ntwo\r\nthree\x1b[2;2H";
      const screen = newScreen();
      await screen.write(bytesOf(`${before}${begin}${many}${end}`));
      const { bytes } = await screen.snapshot(true);
      assert.deepEqual(
        (await seen(bytes)).lines,
        (await seen(bytesOf(`${before}\x1b[500${end}`))).lines,
        end,
      );
    }
  const screen = newScreen();
  await screen.write(
    bytesOf(`A\x1b[${many}b\x1b[${many}'}\x1b[${many}'~\r\nrest\r\n`),
  );
  const { bytes } = await screen.snapshot(true);
  assert.match(Buffer.from(bytes).toString(), /rest/);
});

test("[SHL-40] what moves lines moves each at most as often as the screen has rows", async () => {
  const terminal = new xterm.Terminal({ ...SIZE, allowProposedApi: true });
  boundCounts(terminal, 500);
  const moved = countMoves(terminal);
  for (const end of ["L", "M", "S", "T"]) {
    moved.count = 0;
    await new Promise<void>((done) =>
      terminal.write(`\x1b[H\x1b[2147483647${end}`, done),
    );
    // A line that moves is taken out and put in.
    assert.equal(moved.count, 2 * SIZE.rows, end);
  }
  terminal.dispose();
});

/** The core hands the same list of lines to everything that moves them. */
const countMoves = (terminal: xterm.Terminal): { count: number } => {
  const moved = { count: 0 };
  const lines = ["_core", "buffer", "lines"].reduce<object>(partOf, terminal);
  const splice: unknown = Reflect.get(lines, "splice");
  assert.ok(typeof splice === "function");
  Reflect.set(lines, "splice", (...args: unknown[]): unknown => {
    moved.count += 1;
    return Reflect.apply(splice, lines, args);
  });
  return moved;
};

const partOf = (whole: object, name: string): object => {
  const part: unknown = Reflect.get(whole, name);
  assert.ok(typeof part === "object" && part !== null, name);
  return part;
};
