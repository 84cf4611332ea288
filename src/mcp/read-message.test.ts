import assert from "node:assert/strict";
import { test } from "node:test";
import { readMessage } from "./read-message.ts";

const called = (name: string) =>
  readMessage(
    JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name },
    }),
  );

void test("[MCP-47] a tool that is called like what every object inherits is not found", () => {
  for (const name of ["constructor", "toString", "__proto__"])
    assert.deepEqual(called(name), {
      kind: "refused",
      answer: {
        jsonrpc: "2.0",
        id: 7,
        error: { code: -32602, message: `Tool ${name} not found` },
      },
    });
  assert.equal(called("invoke_agent").kind, "message");
});
