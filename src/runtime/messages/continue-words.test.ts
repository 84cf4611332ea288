import assert from "node:assert/strict";
import { test } from "node:test";
import { cutTurnOf } from "../../session/state/cut-turn.ts";
import { prompt, Story } from "../../session/testing.ts";
import { beginningOf, continueWords } from "./continue-words.ts";

test("[SES-66] a prompt that the agent may not have received follows the words", () => {
  const cut = { kind: "uncertain", isNewest: true, about_seq: 1 } as const;
  assert.match(
    continueWords({ ...cut, isOwn: true }, "build"),
    /^It is not known whether you received the prompt below\. Look .* The prompt:$/,
  );
  assert.match(
    continueWords({ ...cut, isOwn: false }, ""),
    /^It is not known whether the agent before you received the prompt below\. Look/,
  );
});

test("[SES-66] a beginning is one line of at most 200 characters", () => {
  assert.equal(beginningOf(" build\n\tthe  boat\n"), "build the boat");
  assert.equal(beginningOf("b".repeat(300)), `${"b".repeat(200)}…`);
  assert.equal(beginningOf(`a${"😀".repeat(300)}`), `a${"😀".repeat(99)}…`);
  const blanks = beginningOf(`a${" ".repeat(798)}😀`);
  assert.ok(blanks.isWellFormed());
});

test("[SES-66] a turn is not the newest any more where another prompt waits", () => {
  const story = new Story().up().queue(1).deliver(1).die();
  const cut = { kind: "interrupted", isOwn: true } as const;
  const told = () => {
    const { about_seq: _, ...rest } = cutTurnOf(story.state, prompt(1)) ?? {};
    return rest;
  };
  assert.deepEqual(told(), { ...cut, isNewest: true });
  story.ask(2);
  assert.deepEqual(told(), { ...cut, isNewest: false });
  assert.equal(cutTurnOf(story.state, prompt(2)), null);
});
