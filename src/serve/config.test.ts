import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BUILT_IN_AGENTS } from "../contract/agent/agent.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { readConfig } from "./config.ts";

test("[API-136] a server does not start with an entry for an agent that nobody knows", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  const config = async (agents: object) => {
    await writeFile(join(home, "config.json"), JSON.stringify({ agents }));
    return readConfig(home);
  };
  await assert.rejects(
    config({ claud: { driver: "stream-json" }, other: { env: {} } }),
    ({ message }: Error) =>
      /agents\.claud: there is no such agent, and no command .*did you mean claude\?/.test(
        message,
      ) && /agents\.other: [^;?]*define it$/m.test(message),
  );
  const ours = Object.fromEntries(BUILT_IN_AGENTS.map((id) => [id, {}]));
  const agents = { ...ours, claud: { command: ["cat"] } };
  assert.deepEqual((await config(agents)).agents, agents);
});

test("[LNK-90] a server does not wait for a config.json that is a FIFO: it does not start, and says why", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(home, { recursive: true }));
  execFileSync("mkfifo", ["-m", "600", join(home, "config.json")]);
  await assert.rejects(readConfig(home), (error) => {
    assert.ok(error instanceof RepriseError);
    assert.equal(error.code, "cannot_start");
    assert.match(error.message, /config\.json is no plain file/);
    return true;
  });
});
