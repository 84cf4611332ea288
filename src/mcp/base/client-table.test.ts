import assert from "node:assert/strict";
import { test } from "node:test";
import { habitsOf } from "./client-table.ts";

test("[MCP-10] how long a call may take is known by the client's name", () => {
  const waits = (name: string) => {
    const { waits: without, waitsWithProgress } = habitsOf(name);
    return [without, waitsWithProgress];
  };
  assert.deepEqual(waits("codex-mcp-client"), [240, 240]);
  assert.deepEqual(waits("codex_cli_rs/0.166.0 (Debian; x86_64)"), [240, 240]);
  assert.deepEqual(waits("gemini-cli-mcp-client-reprise"), [540, 540]);
  assert.deepEqual(waits("claude-code"), [45, 1500]);
  assert.deepEqual(waits("opencode"), [45, 1500]);
  assert.deepEqual(waits("github-copilot-cli"), [45, 1500]);
  assert.deepEqual(waits("node"), [45, 45]);
  assert.deepEqual(waits(""), [45, 45]);
});
