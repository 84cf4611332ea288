import assert from "node:assert/strict";
import { test } from "node:test";
import type { Usage } from "../../contract/base/usage.ts";
import { usageWords } from "../../contract/base/usage.ts";
import { at, prompt, Story } from "../testing.ts";
import { sessionStatusOf } from "../view/status.ts";
import { viewOf } from "../view/view.ts";

const spending = (story: Story, n: number, usage: Usage, of?: "execution") =>
  story
    .queue(n)
    .deliver(n)
    .report({
      kind: "turn_ended",
      prompt_id: prompt(n),
      stop_reason: "end_turn",
      usage,
      ...(of && { usage_of: of }),
      error: null,
      range: story.words(5),
    });

const counted = (input: number, output: number, cached?: number): Usage => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  ...(cached !== undefined && { cached_tokens: cached }),
});

test("[SES-62] a session's tokens are the sums over its turns, cached ones as far as they are told", () => {
  const story = new Story({ checkpoints: false }).up();
  spending(story, 1, counted(100, 7, 40));
  assert.deepEqual(story.state.turns.usage, counted(100, 7, 40));
  spending(story, 2, counted(10, 1));
  assert.deepEqual(story.state.turns.usage, counted(110, 8, 40));
  assert.equal(
    usageWords(counted(110, 8, 40)),
    "118 (110 in, 40 of them cached, 8 out)",
  );
  assert.equal(usageWords(counted(110, 0)), "110 (110 in, 0 out)");
  assert.equal(
    usageWords(counted(11, 7, 0), " tokens"),
    "18 tokens (11 in, 7 out)",
    "that none was cached is not worth a word",
  );
});

test("[SES-62] [SES-31] of an agent that counts all turns since its start, the cached ones are told apart too", () => {
  const story = new Story({ checkpoints: false }).up();
  spending(story, 1, counted(100, 7, 40), "execution");
  spending(story, 2, counted(300, 14, 140), "execution");
  const turn = story.last("session.turn.ended");
  assert.deepEqual(turn.usage, counted(200, 7, 100));
  assert.deepEqual(story.state.turns.usage, counted(300, 14, 140));
});

test("[SES-62] older journals, which left what was cached out of the input, are summed as newer ones", () => {
  const story = new Story({ checkpoints: false }).up();
  const old = { input_tokens: 50, output_tokens: 7, total_tokens: 107 };
  spending(story, 1, old);
  assert.deepEqual(story.state.turns.usage, counted(100, 7));
  assert.equal(usageWords(old), "107 (100 in, 7 out)");
});

test("[SES-62] what the context holds is no cost, is shown by session and status, and begins anew with a new session of the agent", () => {
  const story = new Story({ checkpoints: false }).up();
  assert.equal(story.state.agent.context, null);
  const told = (context?: { used_tokens: number; size_tokens: number }) =>
    story.report({
      kind: "usage",
      range: story.words(5),
      usage: counted(120, 0),
      ...(context && { context }),
    });
  told({ used_tokens: 120, size_tokens: 1000 });
  const context = { used_tokens: 120, size_tokens: 1000 };
  assert.deepEqual(viewOf(story.state).context, context);
  assert.equal(viewOf(story.state).usage, null);
  const patience = { startMs: 1, silentMs: 1 };
  const status = sessionStatusOf(story.state, null, patience, at(9), "ready");
  assert.deepEqual(status.context, context);
  told();
  assert.deepEqual(story.state.agent.context, {
    used_tokens: 120,
    size_tokens: null,
  });
  story.die().given({ type: "session.resume", trigger: "request" });
  story.begin().ready({ opened: "new" });
  assert.equal(story.state.agent.context, null);
});
