import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentView } from "../../contract/agent/agent.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { runCli } from "../fixtures/run-cli.ts";

const agent = (id: string, changes: Partial<AgentView>): AgentView => ({
  id,
  name: id,
  driver: "acp",
  installed: true,
  version: "1.0.0",
  command: [id],
  native_session_resume: true,
  history_context_injection: true,
  install: null,
  found: "path",
  login: "yes",
  login_command: `${id} login`,
  login_variables: [`${id.toUpperCase()}_API_KEY`],
  ...changes,
});

test("[API-150] agents gives the command that logs in wherever a login is not certain, and ? for what nobody knows", async (t) => {
  const server = await fakeServer(t, {
    listAgents: () => ({
      agents: [
        agent("sure", {}),
        agent("out", { login: "no" }),
        agent("hidden", { login: "unknown" }),
        agent("fetched", { found: "npx" }),
        agent("cat", {
          login: "unknown",
          login_command: null,
          login_variables: [],
          configured: true,
          found: "config",
        }),
      ],
      next: null,
    }),
  });
  const { stdout, stderr } = await runCli(t, ["agents"], { url: server.url });
  assert.equal(stderr, "");
  for (const line of [
    /^sure +1\.0\.0 +yes +native +sure$/m,
    /^out +1\.0\.0 +no +native +out \(log in: out login, or set OUT_API_KEY\)$/m,
    /^hidden +1\.0\.0 +\? +native +hidden \(if you have not logged in: hidden login, or set HIDDEN_API_KEY\)$/m,
    /^fetched +no \(npx\) +yes +native +fetched$/m,
    /^cat +1\.0\.0 +\? +\? +cat$/m,
  ])
    assert.match(stdout, line);
});
