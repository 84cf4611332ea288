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

test("[SES-32] [SES-42] values for MCP servers are told to the agent at every start, and written down nowhere", async () => {
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
      {
        name: "arguments",
        command: "serve",
        args: ["-y", `--api-key=${SECRET}-3`, "--token", `${SECRET}-4`],
      },
      {
        name: "address",
        url: `https://me:${SECRET}-5@example.org/mcp?api_key=${SECRET}-6`,
      },
    ],
  });
  await say(client, id, "hello");
  await client.pauseSession(id);
  await client.resumeSession(id);
  const told = (await readFile(given, "utf8")).split("\n");
  for (const part of [
    `"${SECRET}-1"`,
    `"${SECRET}-2"`,
    `["-y","--api-key=${SECRET}-3","--token","${SECRET}-4"]`,
    `"https://me:${SECRET}-5@example.org/mcp?api_key=${SECRET}-6"`,
  ])
    assert.equal(
      told.filter((line) => line.includes(part)).length,
      2,
      "at the start and at the resume",
    );

  assert.doesNotMatch(JSON.stringify(definition), new RegExp(SECRET));
  assert.deepEqual(definition.mcp_servers?.slice(2), [
    {
      name: "arguments",
      command: "serve",
      args: ["-y", "--api-key=‹hidden›", "--token", "‹hidden›"],
    },
    {
      name: "address",
      url: "https://‹hidden›@example.org/mcp?api_key=‹hidden›",
    },
  ]);
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

  await client.deleteSession(id);
  await using other = await TestHouse.make();
  const elsewhere = await other.up();
  assert.equal((await other.cli(["session", "import", file])).code, 0);
  const { messages } = await elsewhere.client.listMessages(id);
  assert.match(
    messages.findLast(({ role }) => role === "notice")?.text ?? "",
    /started with GIVEN, the variable KEY of local, the header Authorization of remote, parts of the command of arguments, parts of the address of address;/,
  );
});
