import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportItem } from "../../../contract/link/report.ts";
import { newPrompt } from "../../fixtures/ids.ts";
import { HELLO, play, setupOf } from "./fixtures/played-agent.ts";

const openedAgent = () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  return agent;
};

const asking = (...optionIds: string[]) => ({
  id: 7,
  method: "session/request_permission",
  params: {
    sessionId: "s",
    toolCall: { toolCallId: "t" },
    options: optionIds.map((optionId) => ({
      optionId,
      name: "n",
      kind: "allow_once",
    })),
  },
});

const permissionOf = (told: readonly ReportItem[]) => {
  const item = told.findLast((each) => each.kind === "permission_requested");
  assert.ok(item !== undefined);
  return item;
};

test("[P5] an answer that comes twice does not withdraw a question of a later turn", () => {
  const agent = openedAgent();
  const [first, second] = [newPrompt(), newPrompt()];
  agent.want({ kind: "prompt", prompt_id: first, content: [] });
  const answer = {
    id: `i1.prompt.${first}`,
    result: { stopReason: "end_turn" },
  };
  agent.say(answer);
  agent.want({ kind: "prompt", prompt_id: second, content: [] });
  agent.say(asking("yes"));
  agent.say(answer);
  const { permission_id } = permissionOf(agent.told);
  const sent = agent.want({ kind: "answer", permission_id, option_id: "yes" });
  assert.equal(sent.length, 1);
});

test("[P5] options that nobody could send back get plain names, and the agent gets its own", () => {
  const agent = openedAgent();
  agent.want({ kind: "prompt", prompt_id: newPrompt(), content: [] });
  const odd = ["", "\u0000", "x".repeat(300), "fine"];
  agent.say(asking(...odd));
  const { permission_id, options } = permissionOf(agent.told);
  assert.deepEqual(
    options.map(({ id }) => id),
    ["option-1", "option-2", "option-3", "fine"],
  );
  const [effect] = agent.want({
    kind: "answer",
    permission_id,
    option_id: "option-3",
  });
  assert.ok(effect?.kind === "send");
  assert.ok(JSON.stringify(effect.message.body).includes("x".repeat(300)));
  agent.say(asking(...Array.from({ length: 10_000 }, (_, i) => `o${i}`)));
  assert.equal(permissionOf(agent.told).options.length, 100);
});

test("[LNK-19] an error of any shape ends the turn, and one that is null is none", () => {
  const errorOf = (answer: object) => {
    const agent = openedAgent();
    const prompt_id = newPrompt();
    agent.want({ kind: "prompt", prompt_id, content: [] });
    agent.say({ id: `i1.prompt.${prompt_id}`, ...answer });
    const told = agent.told.at(-1);
    assert.ok(told?.kind === "turn_ended", JSON.stringify(answer));
    return told.error;
  };
  for (const error of [{ code: "x", message: {} }, {}, "boom", 5, [], false])
    assert.match(errorOf({ error }) ?? "", /^error/);
  const result = { stopReason: "end_turn" };
  assert.equal(errorOf({ error: null, result }), null);
});

test("what nests deeper than anything sensible is kept as text", () => {
  const agent = openedAgent();
  const deep = `{"1":1,"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  agent.sayRaw(
    `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"t","rawInput":${deep}}}}`,
  );
  assert.equal(agent.told.at(-1)?.kind, "garbage");
});
