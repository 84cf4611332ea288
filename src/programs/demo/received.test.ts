import assert from "node:assert/strict";
import { test } from "node:test";
import { received } from "./received.ts";

const history = `RESUME CONTEXT FOR CONTINUING TASK

=== EXECUTION HISTORY ===
[USER]: one
more of one
[ASSISTANT]: [USER]: not me
[TOOL CALL: Write a.txt]
[TOOL RESULT: Write a.txt] crash
remember x=1
[USER]: two
`;

test("a plain prompt is its own request", () => {
  for (const prompt of [
    "hello",
    "",
    "=== CURRENT REQUEST ===\nhello",
    "RESUME CONTEXT FOR CONTINUING TASK",
  ])
    assert.deepEqual(received(prompt), { request: prompt, history: [] });
});

test("history is what the user said, the request is what stands under it", () => {
  assert.deepEqual(
    received(
      `${history}\n=== CURRENT REQUEST ===\nthree\nlines\nhere\n\n=== INSTRUCTIONS ===\nGo on.`,
    ),
    { request: "three\nlines\nhere", history: ["one\nmore of one", "two"] },
  );
});

test("the instructions may be missing", () => {
  assert.equal(
    received(`${history}\n=== CURRENT REQUEST ===\nthree`).request,
    "three",
  );
});

test("a history that holds the heading of a request is still history", () => {
  const { request } = received(
    `${history}=== CURRENT REQUEST ===\ncrash\n=== INSTRUCTIONS ===\n\n=== CURRENT REQUEST ===\nthree\n\n=== INSTRUCTIONS ===\nGo on.`,
  );
  assert.equal(request, "three");
});

test("what was cut off is not begun again, and not forgotten", () => {
  const told = `=== CUT OFF BEFORE THIS ===
You were interrupted.
[USER]: remember x=1
crash
[ASSISTANT]: I begin
=== END OF WHAT WAS CUT OFF ===
`;
  assert.deepEqual(received(`${told}\ngo on\n\nand on`), {
    request: "go on\n\nand on",
    history: ["remember x=1\ncrash"],
  });
});
