import assert from "node:assert/strict";
import { test } from "node:test";
import { messageId } from "../contract/id.ts";
import type { Message } from "../contract/message.ts";
import { cut, resumeContext } from "./transcript.ts";

const message = (n: number, given: Partial<Message>): Message => ({
  id: messageId(n),
  turn: 1,
  role: "user",
  text: "",
  at: "2026-01-01T00:00:00.000Z",
  ...given,
});

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
    resumeContext(history, "and now?"),
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
  const text = resumeContext(
    [
      message(1, { role: "agent", text: long }),
      message(2, {
        role: "tool",
        text: "T",
        tool: { id: "t", title: "T", output: long },
      }),
    ],
    "go on",
  );
  assert.ok(text.isWellFormed());
  assert.ok(text.includes(`[ASSISTANT]: ${"😀".repeat(2000)}\n`));
  assert.ok(text.includes(`[TOOL RESULT: T] ${"😀".repeat(500)}\n`));
  assert.equal(cut("a😀b", 2), "a😀");
  assert.equal(cut("short", 2000), "short");
});

test("[SES-25] a very long history gives up its oldest entries and says so", () => {
  const history = Array.from({ length: 200 }, (_, n) =>
    message(n, { role: "agent", text: `${n}:${"x".repeat(1990)}` }),
  );
  const text = resumeContext(history, "go on");
  assert.ok(text.length < 210_000);
  assert.match(text, /\[\d+ earlier entries are left out\]/);
  assert.ok(text.includes("[ASSISTANT]: 199:"));
  assert.ok(!text.includes("[ASSISTANT]: 0:"));
});
