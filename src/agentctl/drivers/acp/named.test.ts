import assert from "node:assert/strict";
import { test } from "node:test";
import { newPrompt } from "../../fixtures/ids.ts";
import { acp } from "./driver.ts";
import { HELLO, play, setupOf } from "./fixtures/played-agent.ts";

const session = (token: unknown) => ({
  method: "_reprise/session",
  params: { sessionId: "s", token },
});

test("[LNK-37] the name that a session is resumed by may come late: it is told, and known when the turn ends", () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  const prompt_id = newPrompt();
  agent.want({
    kind: "prompt",
    prompt_id,
    content: [{ type: "text", text: "hello" }],
  });
  agent.say(session("thread-1"));
  agent.say(session(7));
  agent.say(session("x".repeat(1001)));
  assert.deepEqual(
    agent.told
      .slice(1)
      .map((item) => [item.kind, item.kind === "token" ? item.token : null]),
    [
      ["token", "thread-1"],
      ["unknown", null],
      ["unknown", null],
    ],
  );
  assert.deepEqual(
    agent.say({
      id: `i1.prompt.${prompt_id}`,
      result: { stopReason: "end_turn" },
    }),
    [{ kind: "turn_ended", prompt_id, token: "thread-1" }],
  );
});

test("[LNK-37] a successor knows it from the journal", () => {
  const known = { ready: null, running: [], answered: new Set<number>() };
  const { token } = acp.restore({ ...known, token: "thread-1" });
  assert.equal(token, "thread-1");
});
