import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentView } from "../../../src/contract/agent/agent.ts";
import { aPrompt, aSession, sessionId } from "../fixtures/samples.ts";
import { agentName } from "../words/agent-name.ts";
import { agentWords } from "../words/agent-words.ts";
import { Agents } from "../store/agents.ts";
import { runDemo } from "./run-demo.ts";

test("[PAG-64] the first run is a real session with three prompts, and only one if it is asked for twice", async () => {
  const asked: unknown[] = [];
  await runDemo(
    {
      createSession: ({ agent, prompt }, keyed) => {
        asked.push([agent, prompt, keyed?.key]);
        return Promise.resolve(aSession());
      },
      queuePrompt: (id, body, keyed) => {
        asked.push([id, body.text, keyed?.key]);
        return Promise.resolve(aPrompt());
      },
    },
    "key",
  );
  assert.deepEqual(asked, [
    ["demo", "remember colour=teal", "key"],
    [sessionId(), "crash", "key.0"],
    [sessionId(), "recall colour", "key.1"],
  ]);
});

const agent = (different: Partial<AgentView>): AgentView => ({
  id: "claude",
  name: "Claude Code",
  driver: "acp",
  installed: true,
  version: "2.1.325",
  command: ["claude"],
  native_session_resume: true,
  history_context_injection: true,
  install: null,
  ...different,
});

test("[PAG-65] an agent is shown with what it lacks, or how it remembers", () => {
  assert.deepEqual(agentWords(agent({ login: "yes" })), {
    standing: "ready",
    text: "2.1.325, logged in, remembers natively",
    command: null,
  });
  assert.equal(
    agentWords(agent({ version: null, found: "npx" })).text,
    "fetched by npx at its first start, remembers natively",
  );
  assert.equal(
    agentWords(agent({ login: "unknown" })).text,
    "2.1.325, login not known, remembers natively",
  );
  assert.equal(
    agentWords(agent({ native_session_resume: false })).text,
    "2.1.325, is told its history",
  );
  assert.deepEqual(
    agentWords(agent({ login: "no", login_command: "gemini" })),
    {
      standing: "logged_out",
      text: "not logged in",
      command: "gemini",
    },
  );
  assert.deepEqual(
    agentWords(agent({ installed: false, install: "npm install -g x" })),
    {
      standing: "missing",
      text: "not installed",
      command: "npm install -g x",
    },
  );
});

test("[PAG-65] agents are asked for once, and again when somebody looks again", async () => {
  let asked = 0;
  const agents = new Agents({
    listAgents: () => {
      asked += 1;
      return asked === 1
        ? Promise.reject(new Error("away"))
        : Promise.resolve({ agents: [agent({ name: "Claude" })], next: null });
    },
  });
  assert.equal(agents.name("claude"), "Claude Code");
  await agents.load();
  assert.deepEqual(agents.get(), { kind: "failed", text: "away" });
  await Promise.all([agents.load(), agents.load()]);
  assert.equal(asked, 2);
  assert.equal(agents.name("claude"), "Claude");
  await agents.load({ again: true });
  assert.equal(asked, 3);
  assert.equal(agentName("mine"), "mine");
});
