import assert from "node:assert/strict";
import { test } from "node:test";
import { messageId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import {
  cut,
  type History,
  HistoryWindow,
  resumeContext,
} from "./transcript.ts";

const message = (n: number, overrides: Partial<Message>): Message => ({
  id: messageId(n),
  turn: 1,
  role: "user",
  text: "",
  at: "2026-01-01T00:00:00.000Z",
  ...overrides,
});

/** All of a conversation that fits. */
const historyOf = (messages: readonly Message[]): History => {
  const window = new HistoryWindow();
  const last = messages.findLastIndex((each) => !window.add(each));
  return window.history(last + 1);
};

test("[SES-25] the history has the prescribed form", () => {
  const history = [
    message(1, { role: "user", text: "write a file" }),
    message(2, { role: "thought", text: "hm" }),
    message(3, {
      role: "tool",
      text: "Write a.txt",
      tool: { id: "t", title: "Write a.txt", output: "done" },
    }),
    message(4, { role: "agent", text: "I wrote it." }),
    message(5, { role: "notice", text: "The agent was paused." }),
  ];
  assert.equal(
    resumeContext(historyOf(history), "and now?").text,
    `RESUME CONTEXT FOR CONTINUING TASK

=== EXECUTION HISTORY ===
[USER]: write a file
[TOOL CALL: Write a.txt]
[TOOL RESULT: Write a.txt] done
[ASSISTANT]: I wrote it.

=== CURRENT REQUEST ===
and now?

=== INSTRUCTIONS ===
You are continuing work on the above task...
Do not repeat work that was already completed.`,
  );
});

test("[SES-25] messages are cut to 2,000 characters, tool results to 500, never inside a character", () => {
  const long = "😀".repeat(3000);
  const { text } = resumeContext(
    historyOf([
      message(1, { role: "agent", text: long }),
      message(2, {
        role: "tool",
        text: "T",
        tool: { id: "t", title: "T", output: long },
      }),
    ]),
    "go on",
  );
  assert.ok(text.isWellFormed());
  assert.ok(text.includes(`[ASSISTANT]: ${"😀".repeat(2000)}\n`));
  assert.ok(text.includes(`[TOOL RESULT: T] ${"😀".repeat(500)}\n`));
  assert.equal(cut("a😀b", 2), "a😀");
  assert.equal(cut("short", 2000), "short");
});

test("[SES-25] [P6] a very long history gives up its oldest messages, whole, and says how many", () => {
  const history = Array.from({ length: 400 }, (_, n) =>
    n % 2 === 0
      ? message(n, { role: "agent", text: `${n}:${"x".repeat(1990)}` })
      : message(n, {
          role: "tool",
          text: `T${n}`,
          tool: { id: `t${n}`, title: `T${n}`, output: "y".repeat(500) },
        }),
  );
  const { text, left_out } = resumeContext(historyOf(history), "go on");
  assert.ok(text.length < 200_500);
  assert.ok(left_out > 200 && left_out < 260);
  assert.ok(text.includes(`[${left_out} earlier messages are left out]`));
  assert.ok(text.includes("[ASSISTANT]: 398:"));
  const first = left_out % 2 === 0 ? `: ${left_out}:` : `CALL: T${left_out}]`;
  assert.ok(text.includes(first), "the first that fits is there");
  const calls = text.match(/TOOL CALL/g) ?? [];
  const results = text.match(/TOOL RESULT/g) ?? [];
  assert.equal(calls.length, results.length);
});

test("[SES-25] a history that fits is whole, and one message always counts as one", () => {
  const { text, left_out } = resumeContext(
    historyOf([message(1, { role: "user", text: "hi" })]),
    "x".repeat(300_000),
  );
  assert.equal(left_out, 0);
  assert.ok(text.includes("[USER]: hi\n"));
});
