import assert from "node:assert/strict";
import { test } from "node:test";
import { lastLines, runWords, standingOf, toolName } from "./tool-words.ts";

test("[PAG-81] finished calls are told in one line", () => {
  const tools = (...kinds: string[]) =>
    kinds.map((kind, at) => ({ id: String(at), kind }));
  assert.equal(
    runWords(tools("read", "search", "read", "read", "search", "read")),
    "Read 4 files, searched twice",
  );
  assert.equal(
    runWords(tools("execute", "other", "switch_mode", "fetch")),
    "Ran 1 command, called 2 tools, fetched 1 page",
  );
});

test("[PAG-81] a call is called by what it does to what", () => {
  const named = (tool: object, isRunning = false) => {
    const { verb, object } = toolName(
      { id: "1", ...tool },
      { directories: ["/work/app", "/old/app"], isRunning },
    );
    return object === null ? verb : `${verb} ${object}`;
  };
  assert.equal(
    named({ kind: "edit", locations: [{ path: "/work/app/src/a.ts" }] }),
    "Edited src/a.ts",
  );
  assert.equal(
    named(
      { kind: "execute", title: "Shell", input: { command: "npm test" } },
      true,
    ),
    "Running npm test",
  );
  assert.equal(named({ kind: "execute", title: "npm test" }), "Ran npm test");
  assert.equal(
    named({ kind: "search", input: { pattern: "retry", path: "/work/app" } }),
    "Searched retry",
  );
  assert.equal(named({ title: "Ask the moon" }), "Ask the moon");
  // [PAG-304] Also in titles, and in calls of the session that a fork comes from.
  assert.equal(
    named({ kind: "edit", title: "Write /work/app/a.ts" }),
    "Edited Write a.ts",
  );
  assert.equal(named({ title: "Look at /old/app/b.ts" }), "Look at b.ts");
  assert.equal(named({}), "1");
});

test("[PAG-81] a call that was open when its turn ended was cut off", () => {
  assert.equal(standingOf({ status: "in_progress" }), "running");
  assert.equal(standingOf({ status: "in_progress" }, true), "cut");
  assert.equal(standingOf({ status: "interrupted" }), "cut");
  assert.equal(standingOf({ status: "failed" }, true), "failed");
});

test("[PAG-81] of a running command the last lines are shown", () => {
  assert.equal(lastLines("a\nb\nc\n", 2), "b\nc\n");
  assert.equal(lastLines("a\nb\nc", 2), "b\nc");
  assert.equal(lastLines("a", 6), "a");
  assert.equal(lastLines("", 6), "");
  assert.ok(lastLines("x".repeat(1_000_000), 6).length <= 4_000);
});
