import assert from "node:assert/strict";
import { test } from "node:test";
import { Executor } from "../../../src/contract/session/session.ts";
import { sessionId } from "../fixtures/samples.ts";
import { readRunning, runningOf } from "./running.ts";

const executor = (
  number: number,
  status: Executor["status"] = "ready",
): Executor =>
  Executor.parse({
    id: `row-${number}`,
    session_id: sessionId(number),
    task_id: null,
    runtime: "standalone",
    agentctl_url: null,
    agentctl_port: null,
    container_id: null,
    pid: 7,
    status,
    supports_session_resume: true,
    supports_workspace_only: true,
    resume_token: null,
    last_message_id: null,
    workspace_path: "/src",
    worktree_id: null,
    worktree_path: null,
    worktree_branch: null,
    agent_execution_id: "exe_00000000000000000000000001",
    last_seen_at: "2026-01-01T00:00:00.000Z",
    error_message: null,
    epoch: 1,
  });

test("[PAG-167] memory is the sum of the session's processes, disk what its checkpoints take", () => {
  const disk = {
    sessions: [
      { id: sessionId(1), name: null, deleted_at: null, bytes: 9 },
      { id: sessionId(2), name: null, deleted_at: null, bytes: 5 },
    ],
    total_bytes: 12,
  };
  const memory = [{ memory_bytes: 3 }, { memory_bytes: 4 }];
  const { memoryBytes, processes, diskBytes } = runningOf(
    executor(1),
    memory,
    disk,
  );
  assert.deepEqual([memoryBytes, processes, diskBytes], [7, 2, 9]);
});

test("[PAG-167] what cannot be read is unknown, and what was stopped is not listed", async () => {
  const rows = await readRunning({
    listExecutors: () =>
      Promise.resolve({
        executors: [executor(1), executor(2, "stopped"), executor(3, "error")],
        places: [],
        next: null,
      }),
    listProcesses: () => Promise.reject(new Error("away")),
    showDiskUse: () => Promise.reject(new Error("away")),
  });
  assert.deepEqual(
    rows.map(({ executor: { session_id }, memoryBytes, diskBytes }) => [
      session_id,
      memoryBytes,
      diskBytes,
    ]),
    [
      [sessionId(1), null, null],
      [sessionId(3), null, null],
    ],
  );
});
