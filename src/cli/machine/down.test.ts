import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PromptId, SessionId } from "../../contract/base/id.ts";
import {
  endProcess,
  identify,
  isRunning,
} from "../../kit/processes/process-identity.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { PERMISSION, SESSION, sampleSession } from "../fixtures/sample.ts";
import { main } from "../main.ts";

/** A process that stands for the server, for agentctl or for an agent. */
const standIn = async (t: TestContext, env = process.env) => {
  const child = spawn(
    process.execPath,
    ["-e", "setInterval(() => {}, 1e6); console.log(1)"],
    { env },
  );
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const known = await identify(child.pid ?? 0);
  assert.ok(known);
  return known;
};

const interrupted = (n: number) => ({
  id: PromptId.parse(`prm_${ulid(n)}`),
  session_id: SESSION,
  turn: n,
  state: "interrupted" as const,
});
const [earlier, cut] = [interrupted(1), interrupted(2)];

const question = {
  id: PERMISSION,
  turn: 2,
  title: "May I?",
  tool_kind: null,
  options: [],
  state: "pending" as const,
};

type Agent = "none" | "starting" | "ready";

const stage = async (t: TestContext, first: Agent) => {
  const REPRISE_HOME = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(REPRISE_HOME, { recursive: true }));
  const execution = `exe_${ulid(Date.now())}`;
  const executions = join(REPRISE_HOME, "agentctl", "executions");
  await mkdir(join(executions, execution), { recursive: true });
  const mark = { ...process.env, REPRISE_EXECUTION: execution };
  const agent = first === "none" ? null : await standIn(t, mark);
  const others = sampleSession({
    id: SessionId.parse(`ses_${ulid(1)}`),
    state: "STARTING",
    is_agent_running: false,
  });
  const mine = sampleSession({
    state: first === "starting" ? "STARTING" : "RUNNING",
    is_agent_running: first === "ready",
    unresolved_prompts: [earlier],
    pending_permissions: first === "ready" ? [question] : [],
  });
  const { url, asked } = await fakeServer(t, {
    health: () => ({ status: "ok", version: "1.2.3" }),
    listSessions: () => ({
      sessions: first === "none" ? [] : [others, mine],
      next: null,
    }),
    showSession: ({ params }) => (params["id"] === others.id ? others : mine),
    pauseSession: async ({ params }) => {
      // Its start failed meanwhile.
      if (params["id"] === others.id) throw refusal("wrong_state");
      assert.ok(agent);
      await endProcess(agent);
      return {
        ...mine,
        state: "PAUSED",
        is_agent_running: false,
        pending_permissions: [],
        unresolved_prompts: first === "ready" ? [earlier, cut] : [earlier],
      };
    },
  });
  const [server, agentctl] = [await standIn(t), await standIn(t)];
  const write = (name: string, content: unknown) =>
    writeFile(join(REPRISE_HOME, name), JSON.stringify(content));
  await write("server.json", { url, ...server });
  await writeFile(join(REPRISE_HOME, "token"), "ours\n");
  await write("agentctl/agentctl.json", {
    ...agentctl,
    socket: "/socket",
    build: "x",
  });
  const down = async (...more: string[]) => {
    // Another server that is named is not the one of this home.
    const env = {
      REPRISE_HOME,
      REPRISE_TOKEN: "theirs",
      REPRISE_URL: "http://127.0.0.1:9",
    };
    const { world, out, err } = memoryWorld({ env });
    return { code: await main(["down", ...more], world), out: out() + err() };
  };
  return { down, server, agentctl, asked, write };
};

test("[REC-50] down ends the server and an agentctl that holds no agent", async (t) => {
  const { down, server, agentctl } = await stage(t, "none");
  const { code, out } = await down();
  assert.equal(code, 0);
  assert.match(out, /^The server is stopped, and so is agentctl\. No agents/);
  assert.equal(await isRunning(server), false);
  assert.equal(await isRunning(agentctl), false);
  for (const more of [[], ["--pause"]]) {
    const again = await down(...more);
    assert.equal(again.code, 0);
    assert.match(again.out, /^Nothing ran here\.$/m);
  }
});

for (const agent of ["starting", "ready"] as const)
  test(`[REC-50] an agent goes on, with agentctl, whether a server runs or not (${agent})`, async (t) => {
    const { down, server, agentctl } = await stage(t, agent);
    assert.match((await down()).out, /1 agent goes on running with agentctl/);
    assert.equal(await isRunning(server), false);
    assert.match(
      (await down()).out,
      /^No server ran here\. 1 agent goes on running with agentctl/,
    );
    assert.equal(await isRunning(agentctl), true);
    const refused = await down("--pause");
    assert.equal(refused.code, 4);
    assert.match(refused.out, /Start one with `reprise up` first/);
  });

for (const agent of ["starting", "ready"] as const)
  test(`[REC-50] [REC-53] with --pause nothing is left (${agent})`, async (t) => {
    const { down, server, agentctl, asked } = await stage(t, agent);
    const { out } = await down("--pause");
    assert.match(out, /and so is agentctl/);
    assert.equal(
      out.split("\n")[0],
      agent === "ready"
        ? "1 session paused, 1 turn interrupted, 1 question closed. After `reprise up`, `reprise session list` shows what waits for your decision."
        : "1 session paused. After `reprise up`, `reprise session list` shows it.",
    );
    assert.ok(asked.some(({ name }) => name === "pauseSession"));
    assert.ok(asked.every(({ token }) => token === "ours"));
    assert.equal(await isRunning(server), false);
    assert.equal(await isRunning(agentctl), false);
  });

test("[REC-53] what was paused is counted in the document too", async (t) => {
  const { down } = await stage(t, "ready");
  assert.deepEqual(JSON.parse((await down("--pause", "--json")).out), {
    sessions_paused: 1,
    turns_interrupted: 1,
    questions_closed: 1,
    server_stopped: true,
    agentctl_stopped: true,
    agents_running: 0,
  });
});

test("[REC-50] a server that is starting is stopped too, and nobody else is asked to pause", async (t) => {
  const { down, server, write } = await stage(t, "none");
  await write("server.json", server);
  const refused = await down("--pause");
  assert.equal(refused.code, 4);
  assert.match(refused.out, /server of this home is starting/);
  assert.equal(await isRunning(server), true);
  assert.match((await down()).out, /^The server is stopped/);
  assert.equal(await isRunning(server), false);
});

test("[API-135] down refuses a home that cannot be one", async () => {
  const { world, err } = memoryWorld({
    env: { REPRISE_HOME: process.execPath },
  });
  assert.equal(await main(["down"], world), 1);
  assert.match(err(), /is a file, not a directory/);
});
