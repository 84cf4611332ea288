import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { identify, isRunning } from "../kit/process-identity.ts";
import { fakeServer } from "./fixtures/fake-server.ts";
import { memoryWorld } from "./fixtures/memory-world.ts";
import { sampleSession } from "./fixtures/sample.ts";
import { main } from "./main.ts";

/** A process that stands for the server or for agentctl. */
const standIn = async (t: TestContext) => {
  const child = spawn(process.execPath, [
    "-e",
    "setInterval(() => {}, 1e6); console.log(1)",
  ]);
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const known = await identify(child.pid ?? 0);
  assert.ok(known);
  return known;
};

const stage = async (t: TestContext, isRunningFirst: boolean) => {
  const REPRISE_HOME = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(REPRISE_HOME, { recursive: true }));
  let is_agent_running = isRunningFirst;
  const { url, asked } = await fakeServer(t, {
    health: () => ({ status: "ok", version: "1.2.3" }),
    listSessions: () => ({
      sessions: [sampleSession({ is_agent_running })],
      next: null,
    }),
    pauseSession: () => {
      is_agent_running = false;
      return sampleSession({ state: "PAUSED", is_agent_running });
    },
  });
  const [server, agentctl] = [await standIn(t), await standIn(t)];
  await mkdir(join(REPRISE_HOME, "agentctl"));
  await writeFile(
    join(REPRISE_HOME, "server.json"),
    JSON.stringify({ url, ...server }),
  );
  await writeFile(
    join(REPRISE_HOME, "agentctl", "agentctl.json"),
    JSON.stringify({ ...agentctl, socket: "/socket", build: "x" }),
  );
  const down = async (...more: string[]) => {
    // Another server that is named is not the one of this home.
    const env = {
      REPRISE_HOME,
      REPRISE_TOKEN: "secret",
      REPRISE_URL: "http://127.0.0.1:9",
    };
    const { world, out, err } = memoryWorld({ env });
    return { code: await main(["down", ...more], world), out: out() + err() };
  };
  return { down, server, agentctl, asked };
};

test("[REC-50] down ends the server and an agentctl that holds no agent", async (t) => {
  const { down, server, agentctl } = await stage(t, false);
  const { code, out } = await down();
  assert.equal(code, 0);
  assert.match(out, /^The server is stopped, and so is agentctl\. No agents/);
  assert.equal(await isRunning(server), false);
  assert.equal(await isRunning(agentctl), false);
  assert.match((await down()).out, /^Nothing ran here\.$/m);
});

test("[REC-50] agents that run go on, with agentctl", async (t) => {
  const { down, server, agentctl } = await stage(t, true);
  assert.match((await down()).out, /1 agent goes on running with agentctl/);
  assert.equal(await isRunning(server), false);
  assert.equal(await isRunning(agentctl), true);
  const refused = await down("--pause");
  assert.equal(refused.code, 4);
  assert.match(refused.out, /Start one with `reprise up` first/);
});

test("[REC-50] with --pause nothing is left", async (t) => {
  const { down, server, agentctl, asked } = await stage(t, true);
  assert.match((await down("--pause")).out, /and so is agentctl/);
  assert.ok(asked.some(({ name }) => name === "pauseSession"));
  assert.equal(await isRunning(server), false);
  assert.equal(await isRunning(agentctl), false);
});
