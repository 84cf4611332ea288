import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./nearest.ts";

test("[API-152] a slip of one key finds the name that was meant, two swapped letters too", () => {
  const names = ["claude", "codex", "port", "host", "home"];
  for (const [typed, meant] of [
    ["cluade", "claude"],
    ["claud", "claude"],
    ["prot", "port"],
    ["codx", "codex"],
    ["pot", "port"],
  ] as const)
    assert.equal(nearest(typed, names), meant);
  assert.equal(nearest("gemini", names), undefined);
  assert.equal(nearest("", names), undefined);
});
