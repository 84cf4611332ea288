import assert from "node:assert/strict";
import { test } from "node:test";
import { encoded, shortened } from "./output-text.ts";

test("[RUN-7] a text that was cut begins with a whole character; one that was not keeps its odd bytes", () => {
  const euro = Buffer.from("€uro");
  for (const cut of [1, 2])
    assert.equal(encoded(euro.subarray(cut), euro.length, "text"), "uro");
  assert.equal(encoded(euro, euro.length, "text"), "€uro");
  const odd = Buffer.from([0xbf, 0x61]);
  assert.equal(encoded(odd, odd.length, "text"), "\ufffda");
  assert.equal(encoded(odd, 10, "base64"), odd.toString("base64"));
  // More of them than a character has are no part of one.
  const many = Buffer.alloc(5, 0xbf);
  assert.equal(encoded(many, 10, "text"), "\ufffd\ufffd");
});

test("[RUN-9] what is kept for a repetition is the end, and as short as was said", () => {
  assert.equal(shortened("short", 10, "text"), "short");
  assert.equal(shortened("a€b", 4, "text"), "€b");
  assert.equal(shortened("a€b", 3, "text"), "b");
  const base64 = Buffer.from([1, 2, 3, 4]).toString("base64");
  assert.equal(
    shortened(base64, 2, "base64"),
    Buffer.from([3, 4]).toString("base64"),
  );
});
