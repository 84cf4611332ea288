import assert from "node:assert/strict";
import { test } from "node:test";
import { SESSION, Story } from "../../session/testing.ts";
import { storeWith } from "../fixtures/story-store.ts";
import { soundMessagesOf } from "./sound-messages.ts";

test("[MCP-22] a page holds what is stored, also what the engine has not heard of yet", async () => {
  const story = new Story().up().queue(1, "go").deliver(1);
  const behind = story.state;
  story.say("the last words").endTurn(1);
  const { store } = await storeWith(story);
  const engine = { state: async () => behind };
  const { messages } = await soundMessagesOf({ engine, store }, SESSION, {
    limit: 10,
  });
  assert.equal(messages.at(-1)?.text, "the last words");
});
