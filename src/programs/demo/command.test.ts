import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Command, commandsOf } from "./command.ts";

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
        "quota 60",
        "quota",
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
      { kind: "quota", seconds: 60 },
      { kind: "quota", seconds: null },
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
    "quota soon",
    "crash now",
    "Remember a=b",
    "toString",
  ])
    assert.deepEqual(commandsOf(text), [{ kind: "talk", text }]);
  assert.deepEqual(commandsOf(" \n\n"), []);
});

test("every command is on the page for users, and what is there is one", async () => {
  const page = join(import.meta.dirname, "../../../docs/agents.md");
  const [, section = ""] = (await readFile(page, "utf8")).split(
    "## The demo agent\n",
  );
  const shown = [...section.matchAll(/^\| `(.+?)`/gm)].flatMap(
    ([, line = ""]) => commandsOf(line).map(({ kind }) => kind),
  );
  const all: Record<Exclude<Command["kind"], "talk">, true> = {
    remember: true,
    recall: true,
    count: true,
    write: true,
    "ask-write": true,
    ask: true,
    run: true,
    sleep: true,
    big: true,
    quota: true,
    crash: true,
  };
  assert.deepEqual(shown, Object.keys(all));
});
