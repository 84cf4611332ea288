import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  bytesOfPath,
  decodePath,
  encodePath,
  isPlainText,
  pathOfBytes,
} from "./path-text.ts";

test("[WSP-2] any bytes are found again from their text and from their URL", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = pathOfBytes(bytes);
      assert.deepEqual(bytesOfPath(text), Uint8Array.from(bytes));
      assert.equal(decodePath(encodePath(text)), text);
      assert.match(encodePath(text), /^[A-Za-z0-9\-._~/%]*$/);
      assert.equal(new URL(`x:/${encodePath(text)}`).href.includes("?"), false);
    }),
  );
});

test("[WSP-2] plain text is itself, and a byte that is no text is seen", () => {
  assert.equal(encodePath("src/a b/ü.ts"), "src/a%20b/%C3%BC.ts");
  assert.equal(decodePath("a%2fb"), "a/b");
  assert.equal(decodePath("a%2"), null);
  assert.equal(decodePath("a%zz"), null);
  assert.equal(isPlainText("ü😀"), true);
  assert.equal(isPlainText(pathOfBytes(Uint8Array.of(0x61, 0xff))), false);
});
