import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentView } from "../../contract/agent/agent.ts";
import { identify } from "../../kit/processes/process-identity.ts";
import { connect } from "../../client/client.ts";
import { fakeServer, refusal } from "../fixtures/fake-server.ts";
import { agentsHere, howToLogIn, withOwnLogins } from "./login.ts";

const agent: AgentView = {
  id: "claude",
  name: "Claude Code",
  driver: "acp",
  installed: true,
  version: null,
  command: ["npx"],
  native_session_resume: true,
  history_context_injection: true,
  install: null,
  found: "npx",
  login: "no",
  login_command: "npx --yes @anthropic-ai/claude-code /login",
  login_variables: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_USE_BEDROCK"],
};

test("[API-150] a key in the environment of who asks is a login", async (t) => {
  const REPRISE_HOME = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(REPRISE_HOME, { recursive: true }));
  const loginWith = async (env: Record<string, string>) => {
    const world = { cwd: "/", env: { REPRISE_HOME, ...env } };
    return (await withOwnLogins([agent], world))[0]?.login;
  };
  const key = { ANTHROPIC_API_KEY: "hush" };
  assert.equal(await loginWith(key), "no", "no server here would get the key");
  await writeFile(
    join(REPRISE_HOME, "server.json"),
    JSON.stringify({
      url: "http://127.0.0.1:1234",
      ...(await identify(process.pid)),
    }),
  );
  assert.equal(await loginWith(key), "yes");
  assert.equal(await loginWith({}), "no");
  assert.equal(await loginWith({ ANTHROPIC_API_KEY: "" }), "no");
});

test("[API-137] agents are asked for as a session from this terminal would find them, of an older server as it finds them", async (t) => {
  const REPRISE_HOME = await mkdtemp(join(tmpdir(), "reprise-home-"));
  t.after(() => rm(REPRISE_HOME, { recursive: true }));
  let isOld = false;
  const server = await fakeServer(t, {
    listAgents: ({ query }) => {
      if (isOld && "cwd" in query) throw refusal("invalid_request");
      return { agents: [agent], next: null };
    },
  });
  const client = connect({ url: server.url });
  const look = async (PATH: string) => {
    const env = { REPRISE_HOME, PATH };
    assert.equal(
      (await agentsHere(client, { cwd: "/work", env })).agents.length,
      1,
    );
    return server.asked.at(-1)?.query;
  };
  assert.deepEqual(await look("/mine"), {}, "no server of this home");
  await writeFile(
    join(REPRISE_HOME, "server.json"),
    JSON.stringify({ url: server.url, ...(await identify(process.pid)) }),
  );
  assert.deepEqual(await look("/mine"), { cwd: "/work", path: "/mine" });
  const long = "/x".repeat(5000);
  assert.deepEqual(await look(long), { cwd: "/work" }, "too long to be sent");
  isOld = true;
  assert.deepEqual(await look("/mine"), {});
});

test("[API-150] how to log in names the command and the variables that hold keys", () => {
  assert.deepEqual(howToLogIn(agent), {
    command: "npx --yes @anthropic-ai/claude-code /login",
    variables: "set ANTHROPIC_API_KEY",
  });
  assert.equal(howToLogIn({ ...agent, login_command: null }), null);
});
