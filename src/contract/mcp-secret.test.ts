import assert from "node:assert/strict";
import { test } from "node:test";
import { filledIn, isSetAside, setAside } from "./mcp-secret.ts";

const servers = [
  { name: "one", command: "run", env: { KEY: "first", OTHER: "${HOME}" } },
  { name: "two", url: "https://example.org/mcp", headers: { "X-Key": "2nd" } },
  { name: "three", command: "plain" },
];

test("[SES-32] values for MCP servers are set aside, and come back where they were", () => {
  const { servers: named, values } = setAside(servers);
  const text = JSON.stringify(named);
  for (const secret of ["first", "2nd", "${HOME}"])
    assert.ok(!text.includes(secret), secret);
  assert.deepEqual(Object.keys(values), [
    "REPRISE_MCP_1",
    "REPRISE_MCP_2",
    "REPRISE_MCP_3",
  ]);
  assert.ok(Object.keys(values).every(isSetAside));
  assert.deepEqual(filledIn(named, values), servers);
});

test("[SES-32] what is not there any more, after an import say, is empty", () => {
  const { servers: named } = setAside(servers);
  assert.deepEqual(filledIn(named, {})[0]?.env, { KEY: "", OTHER: "" });
});
