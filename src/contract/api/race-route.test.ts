import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeIn } from "./race-route.ts";

const whole = {
  prompt: "9f2c",
  agents: ["claude", "codex"],
  repository: "/work",
  session: null,
  permissions: "ask",
};

test("[RAC-20] what is under the name of a race and is none is not taken for one", () => {
  assert.deepEqual(shapeIn(JSON.stringify(whole)), whole);
  assert.deepEqual(shapeIn(JSON.stringify({ ...whole, later: 1 })), whole);
  for (const key of Object.keys(whole))
    for (const wrong of [undefined, 7, ["claude", 7]])
      assert.equal(shapeIn(JSON.stringify({ ...whole, [key]: wrong })), null);
  for (const text of ["[]", "null", '"text"', "{", ""])
    assert.equal(shapeIn(text), null, text);
});

test("[RAC-27] what names more than 20 runs is no race", () => {
  const withRuns = (length: number): string =>
    JSON.stringify({ ...whole, agents: Array.from({ length }, () => "demo") });
  assert.equal(shapeIn(withRuns(20))?.agents.length, 20);
  assert.equal(shapeIn(withRuns(21)), null);
});
