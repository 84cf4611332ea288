import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentView } from "../contract/agent.ts";
import { identify } from "../kit/process-identity.ts";
import { howToLogIn, withOwnLogins } from "./login.ts";

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

test("[API-150] how to log in names the command and the variables that hold keys", () => {
  assert.deepEqual(howToLogIn(agent), {
    command: "npx --yes @anthropic-ai/claude-code /login",
    variables: "set ANTHROPIC_API_KEY",
  });
  assert.equal(howToLogIn({ ...agent, login_command: null }), null);
});
