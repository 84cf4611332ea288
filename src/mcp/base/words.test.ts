import assert from "node:assert/strict";
import { test } from "node:test";
import { cutText, oneLine } from "./words.ts";

test("[MCP-7] a long text keeps its end, and says what is left out", () => {
  assert.equal(cutText("short"), "short");
  const cut = cutText(`${"a".repeat(30_000)}😀 the end`);
  assert.ok(cut.length <= 20_000);
  assert.match(
    cut,
    /^\[\d+ characters left out: get_conversation has them\]\n/,
  );
  assert.ok(cut.endsWith("😀 the end"));
  assert.ok(cutText("😀".repeat(20_000)).isWellFormed());
});

test("[MCP-21] a line is one line, whatever it holds", () => {
  assert.equal(oneLine("a\nb\r\n\u2028c\u202e \u0000d"), "a b c d");
  assert.equal(oneLine("x".repeat(300)).length, 200);
});
