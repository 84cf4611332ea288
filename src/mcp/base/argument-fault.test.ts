import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { argumentFaults } from "./argument-fault.ts";

void test("[MCP-48] with several faults, what the tool takes is said once, at the end", () => {
  const input = z.strictObject({
    prompt: z.string(),
    cwd: z.string().optional(),
  });
  const given = { surprise: 1 };
  const { error } = input.safeParse(given);
  assert.ok(error);
  assert.equal(
    argumentFaults("invoke", input, given, error),
    'invoke needs the argument prompt. invoke has no argument "surprise". It takes prompt (required), cwd.',
  );
});
