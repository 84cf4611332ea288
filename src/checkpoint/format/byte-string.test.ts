import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromText, isWithin, toText } from "./byte-string.ts";

test("[CHK-1] whatever bytes a name has, its text leads back to them", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
      const name = Buffer.from(bytes).toString("latin1");
      assert.equal(fromText(toText(name)), name);
    }),
  );
});

test("a name in UTF-8 is shown as what it says", () => {
  const bytes = Buffer.from("grün 🌿").toString("latin1");
  assert.equal(toText(bytes), "grün 🌿");
  assert.equal(toText("a\xff"), "a\udcff");
  assert.equal(fromText("a\udcff"), "a\xff");
});

test("what is beneath a path is told from what begins like it", () => {
  assert.ok(isWithin("a/b", "a"));
  assert.ok(isWithin("a", "a"));
  assert.ok(isWithin("a", ""));
  assert.ok(!isWithin("ab", "a"));
});
