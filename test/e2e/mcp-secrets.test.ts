/** What MCP servers are given reaches the agent, and nothing that others can read. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { TestHouse, root, say } from "./house.ts";

const run = promisify(execFile);
const program = join(root, "test/agents/records-given.ts");
const SECRET = "hush-4711";

test("[SES-32] values for MCP servers are told to the agent at every start, and written down nowhere", async () => {
  await using house = await TestHouse.make({
    agents: { recorder: { command: [process.execPath, program] } },
  });
  const { client } = await house.up();
  const given = join(house.directory, "given.jsonl");
  const { id, definition } = await client.createSession({
    agent: "recorder",
    cwd: house.workspace,
    env: { GIVEN: given },
    mcp_servers: [
      { name: "local", command: "serve", env: { KEY: `${SECRET}-1` } },
      {
        name: "remote",
        url: "https://example.org/mcp",
        headers: { Authorization: `${SECRET}-2` },
      },
    ],
  });
  await say(client, id, "hello");
  await client.pauseSession(id);
  await client.resumeSession(id);
  const told = (await readFile(given, "utf8")).split("\n");
  for (const n of [1, 2])
    assert.equal(
      told.filter((line) => line.includes(`"${SECRET}-${n}"`)).length,
      2,
      "at the start and at the resume",
    );

  assert.doesNotMatch(JSON.stringify(definition), new RegExp(SECRET));
  const { events } = await client.listEvents(id);
  assert.doesNotMatch(JSON.stringify(events), new RegExp(SECRET));
  // Only the database holds them, beside the session's own variables.
  const { stdout } = await run("sh", [
    "-c",
    `grep -rla "${SECRET}" "$1" --exclude='reprise.db*' || true`,
    "sh",
    house.home,
  ]);
  assert.equal(stdout, "");
  const file = join(house.directory, "exported");
  await client.pauseSession(id);
  assert.equal((await house.cli(["session", "export", id, file])).code, 0);
  assert.ok(!(await readFile(file)).includes(SECRET));
});
