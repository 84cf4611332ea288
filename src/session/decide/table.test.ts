import assert from "node:assert/strict";
import { test } from "node:test";
import { isTerminal, StateName } from "../../contract/state.ts";
import { intend } from "../intend.ts";
import { table } from "./table.ts";
import { execution, prompt, Story } from "../testing.ts";

test("[SES-2] every state has a verdict for every command, and terminal states refuse callers", () => {
  for (const state of StateName.options) {
    for (const [command, verdict] of Object.entries(table[state])) {
      assert.match(verdict, /^(accept|ignore|wrong_state|session_ended)$/);
      const fromCaller =
        /^(prompt|turn|permission)\.|^session\.(pause|resume|end)$/.test(
          command,
        );
      if (fromCaller)
        assert.equal(
          verdict === "session_ended",
          isTerminal(state),
          `${state} ${command}`,
        );
    }
  }
});

test("a session starts its agent at once and works on its first prompt", () => {
  const story = new Story({
    prompt: {
      prompt_id: prompt(1),
      content: [{ type: "text", text: "hello" }],
    },
  });
  assert.deepEqual(intend(story.state), [{ kind: "begin" }]);
  story.begin();
  assert.deepEqual(intend(story.state), [
    { kind: "launch", execution_id: execution(1), epoch: 1 },
  ]);
  story.ready();
  assert.deepEqual(story.path(), ["STARTING", "WAITING_FOR_INPUT", "RUNNING"]);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["deliver"],
  );
  story.deliver(1).say("hi").say(" there").endTurn(1);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(story.state.turns.over, 1);
  assert.equal(story.state.output.last_words, "hi there");
  assert.equal(
    story.types().filter((type) => type === "session.resumed").length,
    0,
  );
  assert.deepEqual(intend(story.state), []);
});

test("[SES-4] an ended session refuses everything a caller asks", () => {
  const story = new Story().up().queue(1).deliver(1).queue(2);
  story.given({
    type: "session.end",
    outcome: "cancelled",
    reason: "requested",
  });
  assert.equal(story.name, "CANCELLED");
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["stop"],
  );
  story
    .when({
      type: "prompt.queue",
      prompt_id: prompt(3),
      content: [{ type: "text", text: "x" }],
    })
    .thenRefused("session_ended");
  story
    .when({ type: "session.resume", trigger: "request" })
    .thenRefused("session_ended");
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "CANCELLED");
  assert.equal(story.state.execution, null);
});
