import assert from "node:assert/strict";
import { test } from "node:test";
import { callInput } from "./call-input.ts";

test("[SES-68] words of a command are one line as a shell would take it, with its arguments", () => {
  const lines: [input: unknown, line: string | null][] = [
    [{ command: "git status" }, "git status"],
    [{ command: ["git status"] }, "git status"],
    [{ command: ["git", "status"] }, "git status"],
    [{ command: ["bash", "-lc", "rm x"] }, "bash -lc 'rm x'"],
    [{ command: ["echo", "it's"] }, "echo 'it'\\''s'"],
    [{ command: "rm", args: ["-rf", "a b"] }, "rm -rf 'a b'"],
    [{ cmd: ["git", "log"], args: ["&&", "rm"] }, "git log '&&' rm"],
    [{ args: ["x"] }, null],
  ];
  for (const [input, line] of lines)
    assert.equal(callInput(input).command, line);
});

test("[SES-80] a command in a form that is not known is told to be there", () => {
  const unread = (input: unknown) => callInput(input).isUnread;
  for (const input of [
    { command: ["rm", 1] },
    { command: { program: "rm" } },
    { command: [["rm"]] },
    { cmd: 5 },
    { command: "git", args: "push --force" },
    { command: "git", args: [{ value: "push" }] },
    { args: ["rm", "x"] },
    "rm x",
    ["rm", "x"],
  ])
    assert.ok(unread(input), JSON.stringify(input));
  for (const input of [
    undefined,
    null,
    "",
    { command: "ls" },
    { command: ["ls"], args: ["-l"] },
    { command: null, cmd: "" },
    { path: "a" },
  ])
    assert.ok(!unread(input), JSON.stringify(input));
});
