import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptId } from "../../../contract/base/id.ts";
import { ulid } from "../../../kit/data/ulid.ts";
import { type Fact, factsSince } from "./facts.ts";
import { blank } from "./history.ts";

const prompt_id = PromptId.parse(`prm_${ulid(0)}`);

const mark = (at: number): Fact => ({
  at,
  item: { kind: "transcript", range: null, bytes: at, sha256: "" },
});

const delivered = (at: number): Fact => ({
  at,
  item: { kind: "prompt_delivered", range: null, prompt_id },
});

const history = {
  ...blank,
  turnEnds: [100, 200].map((at) => ({ prompt_id, at })),
};
const facts = [delivered(10), mark(100), delivered(110), mark(200)];

test("[LNK-16] [REC-106] of the agent's session file only the newest state that is not ahead is told again", () => {
  const told = (from: number) => factsSince(facts, history, from);
  assert.deepEqual(told(200), [mark(200)]);
  assert.deepEqual(told(250), [mark(200)]);
  assert.deepEqual(told(150), [mark(100), delivered(110), mark(200)]);
  assert.deepEqual(told(0), facts);
});

test("[LNK-16] a state that was found in a later turn takes the place of those before it", () => {
  const late = [mark(100), mark(120), delivered(130)];
  assert.deepEqual(factsSince(late, history, 150), late.slice(1));
  assert.deepEqual(factsSince(late, history, 210), [mark(120)]);
});
