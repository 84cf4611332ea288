import assert from "node:assert/strict";
import { test } from "node:test";
import { legible, legibleName } from "./legible.ts";

test("[PAG-310] nothing in a name hides, moves or turns round what is beside it", () => {
  assert.equal(
    legible("\u202egnp.exe\u2069 \u001b[2J\u0000\u009b"),
    "\\u202egnp.exe\\u2069 \\x1b[2J\\x00\\x9b",
  );
  assert.equal(legible("a\tb\nc"), "a\tb\nc");
  assert.equal(legibleName(" a\n b\u2028c "), "a b c");
  assert.equal(legibleName("x".repeat(100_000)), `${"x".repeat(200)}…`);
  for (const plain of ["Grüße 😀", "<b>bold</b>", "日本語", "عربى"])
    assert.equal(legibleName(plain), plain);
});
