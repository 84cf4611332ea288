/** The environment of the person who asks, and an agent that runs with another one. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import type { Client } from "../../src/client/client.ts";
import { programOfProduct } from "../../src/kit/fixtures/product.ts";
import { TestHouse, root, seenUntil, turnEnded } from "./house.ts";

const run = promisify(execFile);
const demo = programOfProduct(
  "demo-agent",
  join(root, "src/programs/demo/main.ts"),
);
const program = join(root, "test/agents/wants-key.ts");
const agents = { auggie: { command: [process.execPath, program] } };
const SECRET = "hush-4711";

const key = (value: string) => ({ AUGMENT_API_TOKEN: `${SECRET}-${value}` });

const start = (house: TestHouse, text: string, env = {}) =>
  house.cli(["session", "start", text, "--agent", "auggie", "--follow"], {
    env,
  });

const prompt = (house: TestHouse, id: string, text: string, env = {}) =>
  house.cli(["session", "prompt", id, text, "--follow"], { env });

/** Files that hold a text. Those that go while they are looked for are no trouble: the server and agentctl go on writing. */
const filesWith = async (text: string, directory: string): Promise<string> => {
  const { stdout } = await run("sh", [
    "-c",
    'grep -rlaF -- "$1" "$2" || true',
    "sh",
    text,
    directory,
  ]);
  return stdout;
};

const newest = async (client: Client) => {
  const [session] = (await client.listSessions()).sessions;
  assert.ok(session !== undefined);
  return session;
};

test("[SES-61] [LNK-67] the key of the person who asks is used by the next prompt, no memory is lost, and it is written down nowhere", async () => {
  await using house = await TestHouse.make({ agents });
  const server = await house.up();
  const { client } = server;
  const refused = await start(house, "hello");
  assert.match(refused.out, /Authentication required/);
  const { id, is_agent_running } = await newest(client);
  assert.equal(is_agent_running, true, "it runs without a key");
  const answered = await prompt(house, id, "hello again", key("1"));
  assert.match(answered.out, /You said: hello again/);

  await start(house, "remember colour=teal", key("1"));
  const other = (await newest(client)).id;
  const asked = 'recall colour\nrun echo "$AUGMENT_API_TOKEN" | tail -c 3';
  const changed = await prompt(house, other, asked, key("2"));
  assert.match(changed.out, /colour=teal/);
  assert.match(changed.out, /-2/);
  assert.equal((await client.showSession(other)).resume?.grade, "native");

  // Who asks without a key takes nothing away, and who asks with the same one changes nothing.
  const { agent_execution_id } = await client.showSession(other);
  await prompt(house, other, "recall colour");
  await prompt(house, other, "recall colour", key("2"));
  const now = await client.showSession(other);
  assert.equal(now.agent_execution_id, agent_execution_id);

  // The server that comes next knows the key again by its label.
  await server.kill();
  const next = await house.up();
  await prompt(house, other, "recall colour", key("2"));
  const again = await next.client.showSession(other);
  assert.equal(again.agent_execution_id, agent_execution_id);

  const value = key("2").AUGMENT_API_TOKEN;
  const hashes = (["hex", "base64", "base64url"] as const).map((encoding) =>
    createHash("sha256").update(value).digest(encoding),
  );
  for (const text of [SECRET, ...hashes])
    assert.equal(await filesWith(text, house.home), "");
});

test("[SES-61] after everything was killed, recovery starts the program that ran, also where the server's PATH lacks it", async () => {
  await using house = await TestHouse.make({
    agents: { named: { command: ["named-agent"] } },
  });
  const installed = join(house.directory, "installed");
  await mkdir(installed);
  const file = join(installed, "named-agent");
  await writeFile(file, `#!/bin/sh\nexec ${process.execPath} ${demo}\n`);
  await chmod(file, 0o700);
  const env = { PATH: `${installed}:${process.env["PATH"]}` };
  const server = await house.up();
  await house.cli(
    [
      "session",
      "start",
      "remember colour=teal",
      "--agent",
      "named",
      "--follow",
    ],
    { env },
  );
  const { id } = await newest(server.client);
  await server.kill();
  await house.killAgentctl();

  const { client } = await house.up();
  assert.equal((await client.sessionStatus(id)).is_resumable, true);
  await client.resumeSession(id);
  await client.queuePrompt(id, { text: "recall colour" });
  await seenUntil(client, id, turnEnded(2));
  const { last_words, resume } = await client.showSession(id);
  assert.match(last_words ?? "", /colour=teal/);
  assert.equal(resume?.grade, "native");
});

test("[SES-72] an agent sees of the server's environment what the list and pass_env name, and no credentials of the server", async () => {
  await using house = await TestHouse.make({ pass_env: ["TEAM_*"] });
  const { client } = await house.up({
    PGPASSWORD: SECRET,
    AWS_SECRET_ACCESS_KEY: SECRET,
    TEAM_TOOL: "hammer",
    LC_TIME: "C",
  });
  const { id } = await client.createSession({
    prompt:
      'run echo "<$PGPASSWORD$AWS_SECRET_ACCESS_KEY|$TEAM_TOOL|$LC_TIME|$HOME>"',
  });
  const seen = JSON.stringify(await seenUntil(client, id, turnEnded(1)));
  assert.ok(seen.includes(`<|hammer|C|${house.directory}>`), seen);
});
