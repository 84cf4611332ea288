import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonOf } from "./json-line.ts";

test("[API-113] a line that nests too deeply is no JSON, like one that is none", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  assert.deepEqual(jsonOf(nested(2)), [[]]);
  assert.notEqual(jsonOf(nested(100)), undefined);
  for (const depth of [101, 20_000])
    assert.equal(jsonOf(nested(depth)), undefined);
  assert.equal(jsonOf("{"), undefined);
});
