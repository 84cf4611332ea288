import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf } from "./command.ts";

test("one command per line", () => {
  assert.deepEqual(
    commandsOf(
      [
        "remember a key = a=b ",
        "recall a key",
        "count 3 20",
        "write a/b.txt some  text",
        "write empty",
        "ask May I?",
        "ask-write c x",
        "run ls -l | wc",
        "",
        "  sleep 5\r",
        "big 2",
        "crash",
      ].join("\n"),
    ),
    [
      { kind: "remember", key: "a key", value: "a=b" },
      { kind: "recall", key: "a key" },
      { kind: "count", to: 3, every: 20 },
      { kind: "write", path: "a/b.txt", text: "some  text" },
      { kind: "write", path: "empty", text: "" },
      { kind: "ask", text: "May I?" },
      { kind: "ask-write", path: "c", text: "x" },
      { kind: "run", command: "ls -l | wc" },
      { kind: "sleep", ms: 5 },
      { kind: "big", kib: 2 },
      { kind: "crash" },
    ],
  );
});

test("everything else is talk, neighbouring lines together", () => {
  assert.deepEqual(commandsOf("hello\n\nthere \nbig 1\nbye\n"), [
    { kind: "talk", text: "hello\n\nthere" },
    { kind: "big", kib: 1 },
    { kind: "talk", text: "bye" },
  ]);
  for (const text of [
    "remember nothing",
    "recall",
    "count 3",
    "count three 4",
    "count -1 5",
    "sleep 1e9",
    "sleep",
    "big 1 2",
    "write",
    "ask",
    "run",
    "crash now",
    "Remember a=b",
    "toString",
  ])
    assert.deepEqual(commandsOf(text), [{ kind: "talk", text }]);
  assert.deepEqual(commandsOf(" \n\n"), []);
});
