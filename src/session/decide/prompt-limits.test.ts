import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PromptLimits } from "../../contract/agent/prompt-limits.ts";
import { permissionId } from "../../contract/base/id.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import { readState, writeState } from "../state/snapshot.ts";
import { runningTurn } from "../state/turns.ts";
import { askItem, prompt, Story } from "../testing.ts";

const started = (limits: PromptLimits): Story =>
  new Story()
    .up()
    .given({
      type: "prompt.queue",
      prompt_id: prompt(1),
      content: [{ type: "text", text: "go" }],
      limits,
    })
    .found()
    .deliver(1);

const call = (
  story: Story,
  id: string,
  status: "pending" | "in_progress" | "completed" = "in_progress",
): ReportItem => ({
  kind: "tool",
  tool: { id, title: id, status },
  range: story.words(3),
});

test("[SES-101] at the call after the last one the turn is cancelled, and says why it ended", () => {
  const story = started({ max_tool_calls: 2 });
  story.report(call(story, "a")).report(call(story, "a", "completed"));
  story.report(call(story, "b"));
  assert.equal(runningTurn(story.state)?.cancelling, false);
  story.report(call(story, "c")).thenEvents("session.message.added", {
    type: "session.turn.cancel_requested",
    data: { turn: 1, limit: "max_tool_calls" },
  });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["cancel"],
  );
  story.endTurn(1, "cancelled");
  const { outcome, stop_reason } = story.last("session.turn.ended");
  assert.deepEqual([outcome, stop_reason], ["cancelled", "max_tool_calls"]);
});

test("[SES-101] a request for a call that would be one too many is not answered, by nobody", () => {
  const story = new Story({
    definition: {
      agent: "demo",
      home: "user",
      env_names: [],
      permissions: { default: "allow-all", rules: [] },
    },
  })
    .up()
    .given({
      type: "prompt.queue",
      prompt_id: prompt(1),
      content: [{ type: "text", text: "go" }],
      limits: { max_tool_calls: 1 },
    })
    .found()
    .deliver(1);
  const ask = (n: number, tool_call_id: string) =>
    askItem(permissionId(1, n), story.words(3), { tool_call_id });
  story.report(call(story, "a", "pending"));
  story
    .report(ask(1, "a"))
    .thenEvents("session.permission.requested", "session.permission.answered");
  story.report(ask(2, "b")).thenEvents(
    "session.permission.requested",
    // The answer to the first has not reached the agent.
    "session.permission.closed",
    "session.permission.closed",
    "session.turn.cancel_requested",
  );
  story
    .report(ask(3, "b"))
    .thenEvents("session.permission.requested", "session.permission.closed");
  assert.ok(
    intend(story.state).some(
      (intent) => intent.kind === "answer" && intent.option_id === null,
    ),
    "the agent is told that there will be no answer",
  );
});

test("[SES-101] an agent that ends by itself after that keeps its outcome, and an error its reason", () => {
  const beyond = () => {
    const story = started({ max_tool_calls: 1 });
    story.report(call(story, "a")).report(call(story, "b"));
    return story;
  };
  const ended = beyond().endTurn(1).last("session.turn.ended");
  assert.deepEqual(
    [ended.outcome, ended.stop_reason],
    ["completed", "max_tool_calls"],
  );
  const story = beyond();
  story.report({
    kind: "turn_ended",
    prompt_id: prompt(1),
    stop_reason: "error",
    usage: null,
    error: "no",
    range: story.words(3),
  });
  assert.equal(story.last("session.turn.ended").stop_reason, "error");
});

test("[SES-102] limits and calls survive a prompt that was given back, an interruption and a continuation", () => {
  const limits = { max_tool_calls: 2, disallowed_tools: ["Bash"] };
  const given = new Story()
    .up()
    .given({
      type: "prompt.queue",
      prompt_id: prompt(1),
      content: [{ type: "text", text: "go" }],
      limits,
    })
    .found()
    .die([prompt(1)])
    .up();
  assert.deepEqual(given.last("session.prompt.requeued").limits, limits);
  assert.deepEqual(runningTurn(given.state)?.limits, limits);

  const story = started(limits);
  story.report(call(story, "a")).die();
  const again = (action: "continue" | "resend") => {
    const copy = new Story();
    copy.events.splice(0, copy.events.length, ...story.events);
    return copy
      .given({
        type: "prompt.resolve",
        prompt_id: prompt(1),
        action,
        by: {
          prompt_id: prompt(2),
          content: [{ type: "text", text: "on" }],
          limits,
        },
      })
      .up()
      .deliver(2);
  };
  const continued = again("continue");
  assert.equal(runningTurn(continued.state)?.tool_calls, 1);
  continued.report(call(continued, "b")).report(call(continued, "c"));
  assert.equal(
    runningTurn(continued.state)?.limit_reached,
    "max_tool_calls",
    "the calls before count",
  );
  assert.equal(runningTurn(again("resend").state)?.tool_calls, 0);
});

test("[SES-102] a snapshot holds the limits of the turn in progress", () => {
  const { state } = started({ max_tool_calls: 2 });
  const { limits } = runningTurn(readState(writeState(state))) ?? {};
  assert.deepEqual(limits, { max_tool_calls: 2 });
});

test("[SES-103] what is told with the prompt counts the prompt's limits", () => {
  const { restrictions } = started({
    allowed_tools: ["Read", "Grep"],
    disallowed_tools: ["Bash"],
    max_tool_calls: 5,
  }).last("session.prompt.delivered");
  assert.deepEqual(restrictions, {
    allowed: 2,
    disallowed: 1,
    told: false,
    max_tool_calls: 5,
  });
});

test("[SES-101] no turn begins more than one call beyond its limit before it is cancelled", () => {
  const step = fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
    status: fc.constantFrom("pending", "in_progress", "completed"),
    asks: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(step, { maxLength: 40 }),
      (max_tool_calls, steps) => {
        const story = started({ max_tool_calls });
        steps.forEach(({ id, status, asks }, n) => {
          const turn = runningTurn(story.state);
          if (turn?.cancelling === true) return;
          story.report(
            asks
              ? askItem(permissionId(1, n), story.words(3), {
                  tool_call_id: id,
                })
              : call(story, id, status),
          );
          const now = runningTurn(story.state);
          assert.ok((now?.tool_calls ?? 0) <= max_tool_calls + 1);
          if ((now?.tool_calls ?? 0) > max_tool_calls)
            assert.equal(now?.cancelling, true);
        });
        checkInvariants(story.events);
      },
    ),
    { seed: Number(process.env["SEED"] ?? 1) },
  );
});
