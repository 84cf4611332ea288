import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { patience } from "../../../src/kit/fixtures/patience.ts";
import { blocksOf, isFenceOpen, noBlocks, type Blocks } from "./blocks.ts";

/** What is drawn of blocks; where exactly the source of one ends is not. */
const drawn = ({ blocks }: Blocks): unknown =>
  JSON.parse(
    JSON.stringify(blocks, (key, value: unknown) =>
      key === "raw" ? undefined : value,
    ),
  );

const pieces = fc.constantFrom(
  ..."#|# |a|b |word |\n|\n\n|\n\n\n|- |* |1. |  |    |> |```|```js\n|~~~|`|**|_|[a](http://b.c)|![i](x)|<div>|</div>|<script>|<!--|-->|a | b\n|--|--\n|===|---|\t|\\|&lt;|http://a.b|- [ ] |\r\n|\r|😀"
    .split("|")
    .filter((piece) => piece !== ""),
  "|",
  "|-|\n",
  "| a | b |\n|---|---|\n| c | d |\n",
);

test("[PAG-70] blocks of a text that grows are those of the whole text, wherever it was cut", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      let grown = noBlocks;
      let text = "";
      for (const part of parts) {
        text += part;
        grown = blocksOf(text, grown);
      }
      assert.deepEqual(drawn(grown), drawn(blocksOf(text)));
    }),
    { numRuns: 2_000 },
  );
});

test("[PAG-70] closed blocks stay the same objects, so that they are not drawn again", () => {
  const before = blocksOf("# One\n\nTwo\n\nThree\nis");
  const after = blocksOf("# One\n\nTwo\n\nThree\nis longer", before);
  assert.equal(after.blocks[0], before.blocks[0]);
  assert.equal(after.blocks[1], before.blocks[1]);
  assert.notEqual(after.blocks[2], before.blocks[2]);
  assert.equal(after.closed, 2);
});

test("[PAG-70] a text that was replaced is read from its beginning", () => {
  const before = blocksOf("One\n\nTwo\n\n");
  assert.deepEqual(
    drawn(blocksOf("Other\n\nTwo", before)),
    drawn(blocksOf("Other\n\nTwo")),
  );
});

test("[PAG-71] text of many marks or levels stays as it was written, and is read quickly", () => {
  for (const text of [
    "*a _".repeat(16_000),
    "_a".repeat(32_000),
    ">".repeat(64_000),
    "> ".repeat(32_000),
    "[".repeat(64_000),
    "<".repeat(64_000),
    Array.from({ length: 300 }, (_, level) => `${"  ".repeat(level)}- a`).join(
      "\n",
    ),
  ]) {
    const began = performance.now();
    assert.ok(blocksOf(text).blocks.length > 0);
    assert.ok(performance.now() - began < patience(3_000), text.slice(0, 10));
  }
});

test("[PAG-76] a fence is open until a line closes it", () => {
  const open = ["```", "```js", "```js\nlet a", "````\n```", "~~~\n```"];
  const closed = ["```js\nlet a\n```", "````\n```\n````\n", "~~~\na\n~~~"];
  for (const raw of open) assert.equal(isFenceOpen({ raw }), true, raw);
  for (const raw of closed) assert.equal(isFenceOpen({ raw }), false, raw);
  assert.equal(isFenceOpen({ raw: "    indented" }), false);
});
