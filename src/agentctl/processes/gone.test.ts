import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionProcess } from "../../contract/session/process.ts";
import { goneOf, wordsOfGone, worthKeeping } from "./gone.ts";

const running = (
  pid: number,
  command: string,
  more: Partial<SessionProcess> = {},
): SessionProcess => ({
  id: `prc_${pid}_${command.length.toString(16).padStart(16, "0")}`,
  pid,
  ppid: 1,
  started_by: "agent",
  owner_id: "exe_1",
  is_agent: false,
  command,
  started_at: "2026-01-01T00:00:00.000Z",
  cpu_seconds: 0,
  memory_bytes: 0,
  ports: [],
  ...more,
});

test("[RUN-15] commands of a request and the agent itself are not kept; what agents and shells started is", () => {
  const kept = worthKeeping([
    running(1, "agent", { is_agent: true }),
    running(2, "npm run dev"),
    running(3, "npm test", { started_by: "exec" }),
    running(4, "bash", { started_by: "shell" }),
  ]);
  assert.deepEqual(
    kept.map(({ pid }) => pid),
    [2, 4],
  );
});

test("[RUN-15] gone is what neither runs nor was started again; of a family the first is told", () => {
  const then = [
    running(10, "npm run dev", { ports: [5173] }),
    running(11, "sh -c vite", { ppid: 10 }),
    running(12, "node vite", { ppid: 11 }),
    running(20, "mcp-server"),
    running(30, "watcher"),
  ];
  const now = [
    running(99, "mcp-server"),
    running(30, "watcher"),
    // Another process with a number that was used before.
    running(10, "something else"),
  ];
  const gone = goneOf(then, now);
  assert.deepEqual(
    gone.map(({ pid, command, ports }) => [pid, command, ports]),
    [[10, "npm run dev", [5173]]],
  );
  assert.equal(goneOf(then, then).length, 0);
});

test("[RUN-15] the words name a few and count the rest", () => {
  const gone = goneOf(
    Array.from({ length: 8 }, (_, index) => running(index + 2, `job-${index}`)),
    [],
  );
  assert.match(wordsOfGone(gone), /`job-0`.*`job-4`, 3 more\./);
  assert.match(wordsOfGone(gone.slice(0, 1)), /gone: `job-0`\. Nothing/);
});
