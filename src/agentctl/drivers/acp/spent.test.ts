/**
 * What the real agents say of one and the same turn, taken down from the versions that the registry pins. Their model read 100
 * tokens, 40 of them from a cache, and wrote 7, 3 of them thoughts. Claude's model also put 10 of those 100 into a cache.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { spentOn } from "./spent.ts";

const read = { input_tokens: 100, cached_tokens: 40 };
const all = { ...read, output_tokens: 7, total_tokens: 107 };

const answers: [agent: string, answer: object, spent: object][] = [
  [
    "claude leaves the cache out of the input",
    {
      usage: {
        inputTokens: 50,
        outputTokens: 7,
        cachedReadTokens: 40,
        cachedWriteTokens: 10,
        totalTokens: 107,
      },
    },
    all,
  ],
  [
    "codex leaves it out too, and its thoughts are part of the output",
    {
      usage: {
        totalTokens: 107,
        inputTokens: 60,
        cachedReadTokens: 40,
        cachedWriteTokens: 0,
        outputTokens: 7,
        thoughtTokens: 3,
      },
    },
    all,
  ],
  [
    "opencode leaves out both",
    {
      usage: {
        inputTokens: 60,
        outputTokens: 4,
        totalTokens: 107,
        thoughtTokens: 3,
        cachedReadTokens: 40,
      },
    },
    all,
  ],
  [
    "copilot leaves out nothing",
    {
      usage: {
        inputTokens: 100,
        outputTokens: 7,
        totalTokens: 107,
        thoughtTokens: 3,
        cachedReadTokens: 40,
        cachedWriteTokens: 0,
      },
    },
    all,
  ],
  [
    "gemini has words of its own, and tells neither cache nor thoughts",
    {
      _meta: {
        quota: { token_count: { input_tokens: 100, output_tokens: 4 } },
      },
    },
    { input_tokens: 100, output_tokens: 4, total_tokens: 104 },
  ],
  [
    "claude by its command line, in the words of our adapter",
    {
      usage: {
        inputTokens: 100,
        outputTokens: 7,
        totalTokens: 107,
        cachedReadTokens: 40,
        cachedWriteTokens: 10,
      },
    },
    all,
  ],
  [
    "codex by its command line",
    {
      usage: {
        inputTokens: 100,
        outputTokens: 7,
        totalTokens: 107,
        cachedReadTokens: 40,
        thoughtTokens: 3,
      },
    },
    all,
  ],
];

for (const [agent, answer, spent] of answers)
  test(`[SES-62] [SES-31] ${agent}`, () =>
    assert.deepEqual(spentOn({ stopReason: "end_turn", ...answer }), spent));

test("[SES-62] an agent that tells no more than input and output has no cached tokens", () => {
  const usage = { inputTokens: 22, outputTokens: 14, totalTokens: 36 };
  const spent = { input_tokens: 22, output_tokens: 14, total_tokens: 36 };
  assert.deepEqual(spentOn({ usage }), spent);
  assert.deepEqual(
    spentOn({ usage: { ...usage, cachedReadTokens: "?" } }),
    spent,
  );
  assert.equal(spentOn({ stopReason: "end_turn" }), null);
});
