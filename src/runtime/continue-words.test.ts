import assert from "node:assert/strict";
import { test } from "node:test";
import { cutTurnOf } from "../session/continuation.ts";
import { prompt, Story } from "../session/testing.ts";
import { beginningOf, continueWords } from "./continue-words.ts";

test("[SES-66] of a prompt that the agent may not have received its beginning is told", () => {
  const cut = { kind: "uncertain", isNewest: true } as const;
  assert.match(
    continueWords({ ...cut, isOwn: true }, "build"),
    /^It is not known whether you received this prompt: “build”\. Look/,
  );
  assert.match(
    continueWords({ ...cut, isOwn: false }, ""),
    /^It is not known whether the agent before you received this prompt: a prompt without text\. Look/,
  );
});

test("[SES-66] a beginning is one line of at most 200 characters", () => {
  assert.equal(beginningOf(" build\n\tthe  boat\n"), "build the boat");
  assert.equal(beginningOf("b".repeat(300)), `${"b".repeat(200)}…`);
});

test("[SES-66] a turn is not the newest any more where another prompt waits", () => {
  const story = new Story().up().queue(1).deliver(1).die();
  const cut = { kind: "interrupted", isOwn: true } as const;
  const told = () => cutTurnOf(story.state, prompt(1));
  assert.deepEqual(told(), { ...cut, isNewest: true });
  story.ask(2);
  assert.deepEqual(told(), { ...cut, isNewest: false });
  assert.equal(cutTurnOf(story.state, prompt(2)), null);
});
