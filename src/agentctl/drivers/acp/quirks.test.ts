import assert from "node:assert/strict";
import { test } from "node:test";
import { claude } from "../../../agents/claude/claude.ts";
import { newPrompt } from "../../fixtures/ids.ts";
import type { Setup } from "../driver.ts";
import {
  HELLO,
  LOADS,
  methods,
  opened,
  play,
  setupOf,
  update,
} from "./fixtures/played-agent.ts";

const NATIVE = {
  kind: "native",
  token: "s",
  turns: 2,
  transcript: "intact",
} as const;

const withQuirks = (quirks: Partial<Setup["agent"]>, open = NATIVE): Setup => {
  const setup = setupOf(open);
  return { ...setup, agent: { ...setup.agent, ...quirks } };
};

const chunk = (sessionUpdate: string, text: string) =>
  update({ sessionUpdate, content: { type: "text", text } });

const refused = (round: number) => ({
  id: `i1.settle.${round}`,
  error: { code: -32601, message: "no such method" },
});

test("[LNK-40] [P2] a replay that trails in after the answer is counted and dropped; no prompt goes out before it is over", () => {
  const agent = play(withQuirks({ replayTrails: true }));
  agent.say(LOADS);
  agent.say(chunk("user_message_chunk", "one"));
  const answered = agent.say({ id: "i1.load", result: {} });
  assert.deepEqual(methods(answered), ["_reprise/ping"]);
  agent.say(chunk("agent_message_chunk", "first"));
  assert.deepEqual(methods(agent.say(refused(1))), ["_reprise/ping"]);
  agent.say(chunk("user_message_chunk", "two"));
  assert.deepEqual(methods(agent.say(refused(2))), ["_reprise/ping"]);
  // Quiet for one round is no proof.
  assert.deepEqual(methods(agent.say(refused(3))), ["_reprise/ping"]);
  const ready = opened(agent.say(refused(4)));
  assert.deepEqual([ready?.opened, ready?.verified], ["loaded", true]);
  agent.say(chunk("agent_message_chunk", "new"));
  assert.deepEqual(
    agent.told.map((item) => (item.kind === "text" ? item.text : item.kind)),
    ["ready", "new"],
  );
});

test("[LNK-40] [P6] a trailing replay with too few prompts is no proof of the session", () => {
  const agent = play(withQuirks({ replayTrails: true }));
  agent.say(LOADS);
  agent.say({ id: "i1.load", result: {} });
  agent.say(chunk("user_message_chunk", "one"));
  for (const round of [1, 2]) agent.say(refused(round));
  assert.deepEqual(methods(agent.say(refused(3))), ["session/new"]);
});

test("[P6] what a version promises and does not keep is not asked of it", () => {
  const corrections = [{ upTo: "1.2", without: ["resume", "load"] }] as const;
  const old = play(withQuirks({ corrections }));
  assert.deepEqual(methods(old.say(HELLO)), ["session/new"]);
  const newer = play(withQuirks({ corrections }));
  const hello = structuredClone(HELLO);
  hello.result.agentInfo.version = "1.10.0";
  assert.deepEqual(methods(newer.say(hello)), ["session/resume"]);
});

test("[LNK-24] an agent that wants a login only when it is to work: the turn says how", () => {
  const agent = play(setupOf({ kind: "new" }), { login: claude.login });
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  const prompt_id = newPrompt();
  agent.want({ kind: "prompt", prompt_id, content: [] });
  agent.say({
    id: `i1.prompt.${prompt_id}`,
    error: { code: -32000, message: "Authentication required" },
  });
  const end = agent.told.at(-1);
  assert.ok(end?.kind === "turn_ended");
  assert.equal(
    end.error,
    "Authentication required. Log in with `claude /login` (`npx --yes @anthropic-ai/claude-code@2.1.325 /login` where `claude` is not installed), or set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN or CLAUDE_CODE_OAUTH_TOKEN in your terminal, then send the prompt again.",
  );
});

test("[LNK-41] [P4] a session that must not be opened is not asked for, and the reason is told", () => {
  const agent = play(setupOf({ ...NATIVE, barred: "somebody else has it" }));
  assert.deepEqual(methods(agent.say(HELLO)), ["session/new"]);
  const ready = opened(agent.say({ id: "i1.new", result: { sessionId: "s" } }));
  assert.equal(ready?.failed?.message, "somebody else has it");
});
