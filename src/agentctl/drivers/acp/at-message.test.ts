import assert from "node:assert/strict";
import { test } from "node:test";
import { newPrompt } from "../../fixtures/ids.ts";
import type { Effect, Setup } from "../driver.ts";
import { HELLO, play, setupOf } from "./fixtures/played-agent.ts";

const native = {
  kind: "native",
  token: "t",
  turns: 1,
  transcript: "intact",
  at: "m1",
} as const;

const paramsOf = (effects: readonly Effect[]): unknown =>
  effects.flatMap((effect) =>
    effect.kind === "send" ? [effect.message.body["params"]] : [],
  );

const able = (resumesAt: boolean): Setup => {
  const setup = setupOf(native);
  return { ...setup, agent: { ...setup.agent, resumesAt } };
};

test("[SES-46] an agent that can is asked to take its session up behind a message; the others are not told", () => {
  assert.deepEqual(paramsOf(play(able(true)).say(HELLO)), [
    {
      sessionId: "t",
      cwd: "/w",
      mcpServers: [],
      _meta: { "reprise/at": "m1" },
    },
  ]);
  assert.deepEqual(paramsOf(play(able(false)).say(HELLO)), [
    { sessionId: "t", cwd: "/w", mcpServers: [] },
  ]);
});

test("[SES-46] the last message of a turn is told where the agent tells it", () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  const told = (meta: object) => {
    const prompt_id = newPrompt();
    agent.want({ kind: "prompt", prompt_id, content: [] });
    const result = { stopReason: "end_turn", ...meta };
    agent.say({ id: `i1.prompt.${prompt_id}`, result });
    const item = agent.told.at(-1);
    assert.ok(item?.kind === "turn_ended");
    return [item.stop_reason, item.last_message_id];
  };
  const meta = { _meta: { "reprise/at": "m7" } };
  assert.deepEqual(told(meta), ["end_turn", "m7"]);
  assert.deepEqual(told({}), ["end_turn", undefined]);
  assert.deepEqual(told({ _meta: { "reprise/at": 7 } }), [
    "end_turn",
    undefined,
  ]);
});
