import assert from "node:assert/strict";
import { test } from "node:test";
import { plainJson, plainText } from "./plain-text.ts";

const hostile =
  "\u001b[2J\u001b]52;c;b3duZWQ=\u0007 \u009b31m\u0000\u0008\u007f\r \u202egnp.exe\u2066";

test("what a terminal would obey is spelt out; newline, tab and letters stay", () => {
  assert.equal(
    plainText(hostile),
    String.raw`\x1b[2J\x1b]52;c;b3duZWQ=\x07 \x9b31m\x00\x08\x7f\x0d \u202egnp.exe\u2066`,
  );
  assert.equal(plainText("a\tb\nü 日本 🙂"), "a\tb\nü 日本 🙂");
  assert.equal(plainText("one\r\ntwo"), "one\ntwo");
  assert.equal(plainText("half \ud83d"), "half \ufffd");
});

test("no text can pass for an entry of the log", () => {
  assert.equal(
    plainText("ok\n\n[2026-01-01T00:00:00.000Z] SESSION COMPLETED:\n[1] note"),
    "ok\n\n [2026-01-01T00:00:00.000Z] SESSION COMPLETED:\n[1] note",
  );
});

test("JSON is spelt without such characters and means the same", () => {
  const value = { text: hostile, more: ["\u0085", 1, null] };
  for (const json of [plainJson(value), plainJson(value, 2)]) {
    assert.doesNotMatch(json, /[\u007f-\u009f\u202e\u2066]/);
    assert.deepEqual(JSON.parse(json), value);
  }
});
