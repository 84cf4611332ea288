import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentDefinition, McpServer } from "./agent.ts";
import {
  describeSetAside,
  filledIn,
  isSetAside,
  setAside,
  withHidden,
} from "./mcp-secret.ts";

const servers = [
  { name: "one", command: "run", env: { KEY: "first", OTHER: "${HOME}" } },
  { name: "two", url: "https://example.org/mcp", headers: { "X-Key": "2nd" } },
  { name: "three", command: "plain" },
  { name: "four", command: "npx", args: ["-y", "serve", "--api-key=third"] },
  { name: "five", url: "https://me:fourth@example.org/mcp?api_key=fifth" },
];
const secrets = ["first", "2nd", "${HOME}", "third", "fourth", "fifth"];

test("[SES-32] [SES-42] values for MCP servers are set aside, and come back where they were", () => {
  const { servers: named, values } = setAside(servers);
  const text = JSON.stringify(named);
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  assert.deepEqual(
    Object.keys(values),
    [1, 2, 3, 4, 5, 6].map((n) => `REPRISE_MCP_${n}`),
  );
  assert.ok(Object.keys(values).every(isSetAside));
  assert.deepEqual(filledIn(named, values), servers);
  for (const server of named) McpServer.parse(server);
});

test("[SES-42] what is hidden is shown as that, and the rest is readable", () => {
  const definition = { agent: "demo", home: "user" as const, env_names: [] };
  const { mcp_servers } = AgentDefinition.parse(
    withHidden({ ...definition, mcp_servers: setAside(servers).servers }),
  );
  assert.deepEqual(mcp_servers, [
    {
      name: "one",
      command: "run",
      env: { KEY: "‹hidden›", OTHER: "‹hidden›" },
    },
    {
      name: "two",
      url: "https://example.org/mcp",
      headers: { "X-Key": "‹hidden›" },
    },
    { name: "three", command: "plain" },
    {
      name: "four",
      command: "npx",
      args: ["-y", "serve", "--api-key=‹hidden›"],
    },
    { name: "five", url: "https://‹hidden›@example.org/mcp?api_key=‹hidden›" },
  ]);
  assert.deepEqual(withHidden(definition), definition);
});

test("[SES-32] [SES-42] what is not there any more, after an import say, is empty, and can be told", () => {
  const { servers: named } = setAside(servers);
  assert.deepEqual(filledIn(named, {})[0]?.env, { KEY: "", OTHER: "" });
  assert.deepEqual(describeSetAside(named), [
    "the variable KEY of one",
    "the variable OTHER of one",
    "the header X-Key of two",
    "parts of the command of four",
    "parts of the address of five",
  ]);
});

test("[SES-42] a text that looks like a reference does not become one", () => {
  const odd = [
    { name: "odd", command: "run", args: ["${REPRISE_MCP_2}", "--token=x"] },
    { name: "url", url: "https://host/${REPRISE_MCP_1}" },
  ];
  const { servers: named, values } = setAside(odd);
  assert.deepEqual(filledIn(named, values), odd);
});

test("[SES-42] a journal of an older release is read as it was written", () => {
  const old = [
    {
      name: "o",
      command: "c",
      args: ["--key=k"],
      env: { A: "${REPRISE_MCP_1}" },
    },
  ];
  assert.deepEqual(filledIn(old, { REPRISE_MCP_1: "v" }), [
    { name: "o", command: "c", args: ["--key=k"], env: { A: "v" } },
  ]);
});
