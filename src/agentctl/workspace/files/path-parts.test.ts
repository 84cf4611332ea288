import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromText, toText } from "../../../checkpoint/format/byte-string.ts";
import { bytesOfPath, pathOfBytes } from "../../../contract/base/path-text.ts";
import {
  climbed,
  cursorOf,
  filePartsOf,
  inOrder,
  linkParts,
  partsOf,
  readCursor,
} from "./path-parts.ts";

for (const path of [
  "..",
  "a/..",
  "a/../b",
  "/etc",
  "/",
  "a\0b",
  "x".repeat(8193),
])
  test(`[WSP-1] the path ${JSON.stringify(path.slice(0, 20))} is refused`, () => {
    assert.throws(() => partsOf(path), { code: "path_invalid" });
  });

test("[WSP-1] empty names and dots count for nothing, and a file has a name", () => {
  assert.deepEqual(partsOf("./a//b/./c/"), ["a", "b", "c"]);
  assert.deepEqual(partsOf(""), []);
  assert.deepEqual(partsOf("..a/b.."), ["..a", "b.."]);
  for (const path of ["", ".", "./"])
    assert.throws(() => filePartsOf(path), { code: "path_invalid" });
  assert.throws(() => filePartsOf("a/"), { code: "not_a_file" });
});

test("[WSP-2] the text of a path is that of diffs and checkpoints", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const latin1 = Buffer.from(bytes).toString("latin1");
      assert.equal(pathOfBytes(bytes), toText(latin1));
      const back = Buffer.from(bytesOfPath(toText(latin1)));
      assert.equal(back.toString("latin1"), fromText(toText(latin1)));
    }),
  );
});

test("[WSP-3] where a link leads is known without looking, and never above the root", () => {
  assert.deepEqual(linkParts("/w", ["a", "b"], "../c"), ["a", "c"]);
  assert.deepEqual(linkParts("/w", ["a"], "c/../d"), ["a", "c", "..", "d"]);
  assert.deepEqual(linkParts("/w", ["a"], "../../x"), null);
  assert.deepEqual(linkParts("/w", [], "/w/x"), ["x"]);
  assert.deepEqual(linkParts("/w", [], "/w"), []);
  assert.deepEqual(linkParts("/w", [], "/wx"), null);
  assert.deepEqual(linkParts("/w", [], "/etc"), null);
  assert.deepEqual(linkParts("/w", [], "/w/../etc"), null);
  const name = fc.constantFrom("a", "b", "..", "c");
  fc.assert(
    fc.property(fc.array(name), fc.array(name), (directory, names) => {
      const real = directory.filter((each) => each !== "..");
      const led = climbed(real, names);
      assert.ok(led === null || led[0] !== "..");
    }),
  );
});

test("[WSP-9] a page goes on behind the name that its cursor holds, whatever came or went", () => {
  const named = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.boolean())
    .map(([bytes, isDirectory]) => ({
      name: Buffer.from(bytes).toString("latin1"),
      isDirectory,
    }));
  fc.assert(
    fc.property(fc.array(named), named, (all, last) => {
      assert.deepEqual(readCursor(cursorOf(last)), last);
      const sorted = all.toSorted(inOrder);
      const behind = sorted.filter((each) => inOrder(each, last) > 0);
      assert.deepEqual(behind, sorted.slice(sorted.length - behind.length));
    }),
  );
  assert.throws(() => readCursor("x"), { code: "invalid_params" });
});
