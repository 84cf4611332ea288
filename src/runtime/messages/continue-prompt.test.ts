import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContentBlock } from "../../contract/base/content.ts";
import { prompt, Story } from "../../session/testing.ts";
import { continuePrompt } from "./continue-prompt.ts";

/** Counts the events that are read. */
const journalOf = ({ events }: Story) => {
  const journal = {
    read: 0,
    events: async (_: unknown, after: number, limit: number) => {
      const found = events.filter(({ seq }) => seq > after).slice(0, limit);
      journal.read += found.length;
      return found;
    },
  };
  return journal;
};

const queue = (story: Story, n: number, content: readonly ContentBlock[]) =>
  story.given({ type: "prompt.queue", prompt_id: prompt(n), content });

/** The agent is gone, and nobody knows what it took. */
const lose = (story: Story) =>
  story.given({
    type: "execution.lose",
    epoch: story.state.executions_so_far.epoch,
  });

const LONG: readonly ContentBlock[] = [
  { type: "text", text: `build ${"😀 ".repeat(500)}the boat` },
  { type: "resource_link", uri: "file:///a", name: "a" },
];

test("[SES-66] a prompt that the agent may not have received is repeated whole, from the one event that holds it", async () => {
  const story = lose(queue(new Story().up(), 1, LONG));
  const journal = journalOf(story);
  const told = await continuePrompt(journal, story.state, prompt(1));
  assert.deepEqual(told?.slice(1), LONG);
  assert.equal(journal.read, 1);
});

test("[SES-66] what goes on with a prompt that was to be gone on with repeats that one", async () => {
  const story = lose(queue(new Story().up(), 1, LONG));
  for (const n of [2, 3]) {
    const content = await continuePrompt(
      journalOf(story),
      story.state,
      prompt(n - 1),
    );
    assert.ok(content !== null);
    const by = { prompt_id: prompt(n), content };
    story.given({
      type: "prompt.resolve",
      prompt_id: prompt(n - 1),
      action: "continue",
      by,
    });
    lose(story.up());
  }
  const told = await continuePrompt(journalOf(story), story.state, prompt(3));
  assert.deepEqual(told?.slice(1), LONG, "once");
});
