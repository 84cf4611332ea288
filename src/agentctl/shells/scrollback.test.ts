import assert from "node:assert/strict";
import {
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Scrollback, SEGMENT_BYTES } from "./scrollback.ts";

const SIZE = { cols: 80, rows: 24 };

const made = (t: TestContext) => {
  const directory = mkdtempSync(join(tmpdir(), "scrollback-"));
  t.after(() => rmSync(directory, { recursive: true }));
  return { directory, scrollback: Scrollback.create(directory, SIZE) };
};

const textOf = (scrollback: Scrollback, from: number): string => {
  const parts: Uint8Array[] = [];
  for (let at = from; at < scrollback.end;) {
    const bytes = scrollback.read(at, 100);
    parts.push(bytes);
    at += bytes.length;
  }
  return Buffer.concat(parts).toString();
};

test("[SHL-11] what was appended is read from any offset, also by who opens it anew", (t) => {
  const { directory, scrollback } = made(t);
  scrollback.append(Buffer.from("one "));
  scrollback.append(Buffer.from("two"));
  assert.equal(textOf(scrollback, 2), "e two");
  scrollback.roll({ offset: 4, ...SIZE, bytes: Buffer.from("SCREEN") });
  scrollback.append(Buffer.from(" three"));
  for (const each of [scrollback, Scrollback.open(directory)]) {
    assert.ok(each);
    assert.equal(each.end, 13);
    assert.equal(textOf(each, 0), "one two three");
    assert.equal(textOf(each, 4), "two three");
    assert.equal(Buffer.from(each.snapshot().bytes).toString(), "SCREEN");
    assert.equal(each.snapshot().offset, 4);
    each.close();
  }
});

test("[SHL-11] two segments are kept, and only their owner may read them", (t) => {
  const { directory, scrollback } = made(t);
  const piece = Buffer.alloc(64 * 1024, "x");
  for (let bytes = 0; bytes < 10 * SEGMENT_BYTES; bytes += piece.length) {
    scrollback.append(piece);
    const offset = scrollback.end;
    if (scrollback.isFull)
      scrollback.roll({ offset, ...SIZE, bytes: new Uint8Array(100) });
  }
  assert.equal(scrollback.end, 10 * SEGMENT_BYTES);
  const names = readdirSync(directory);
  const sizes = names.map((name) => statSync(join(directory, name)).size);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 2.1 * SEGMENT_BYTES);
  for (const name of names)
    assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600);
  assert.equal(scrollback.keeps(0), false);
  assert.equal(scrollback.keeps(scrollback.end), true);
  assert.equal(scrollback.keeps(scrollback.end + 1), false);
  scrollback.close();
});

test("[SHL-11] a change of size is kept where it happened, and nobody goes on across it", (t) => {
  const { directory, scrollback } = made(t);
  scrollback.append(Buffer.from("before"));
  const wide = { cols: 120, rows: 40 };
  scrollback.resized(wide);
  scrollback.append(Buffer.from("after"));
  const again = Scrollback.open(directory);
  assert.ok(again);
  assert.deepEqual(again.size, wide);
  assert.deepEqual(again.resizes(), [{ offset: 6, size: wide }]);
  assert.equal(textOf(again, 6), "after");
  assert.equal(again.canGoOnFrom(5), false);
  assert.equal(again.canGoOnFrom(6), true);
  scrollback.close();
  again.close();
});

test("[SHL-11] a segment that was cut short is passed over, and nothing at all is told as such", (t) => {
  const { directory, scrollback } = made(t);
  scrollback.append(Buffer.from("kept"));
  scrollback.close();
  writeFileSync(join(directory, "0000000000000004.segment"), '{"offset":4');
  const again = Scrollback.open(directory);
  assert.ok(again);
  assert.equal(textOf(again, 0), "kept");
  again.close();
  rmSync(join(directory, "0000000000000000.segment"));
  assert.equal(Scrollback.open(directory), null);
});

test("[SHL-56] all changes of size behind an offset are told, in their places, also by who opens it anew", (t) => {
  const { directory, scrollback } = made(t);
  const wide = { cols: 120, rows: 40 };
  scrollback.append(Buffer.from("one"));
  scrollback.resized(wide);
  scrollback.append(Buffer.from("two"));
  scrollback.resized(SIZE);
  scrollback.append(Buffer.from("three"));
  const both = [
    { offset: 3, size: wide },
    { offset: 6, size: SIZE },
  ];
  const again = Scrollback.open(directory);
  assert.ok(again);
  for (const each of [scrollback, again]) {
    assert.deepEqual(each.resizesBehind(0, SIZE), both);
    assert.deepEqual(each.resizesBehind(3, SIZE), both);
    assert.deepEqual(each.resizesBehind(3, wide), both.slice(1));
    assert.deepEqual(each.resizesBehind(6, SIZE), []);
  }
  scrollback.close();
  again.close();
});

test("[SHL-56] a change of size where a segment begins is kept if its snapshot was drawn before", (t) => {
  const wide = { cols: 120, rows: 40 };
  for (const drawn of [SIZE, wide]) {
    const { directory, scrollback } = made(t);
    scrollback.append(Buffer.from("text"));
    scrollback.resized(wide);
    scrollback.roll({ offset: 4, ...drawn, bytes: Buffer.from("SCREEN") });
    const left = drawn === wide ? [] : [{ offset: 4, size: wide }];
    assert.deepEqual(scrollback.resizes(), left);
    scrollback.close();
    rmSync(join(directory, "0000000000000000.segment"));
    const again = Scrollback.open(directory);
    assert.ok(again);
    assert.deepEqual(again.size, wide);
    assert.deepEqual(again.resizes(), left);
    again.close();
  }
});
