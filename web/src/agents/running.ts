/** What runs for sessions: executions with the memory of their processes and the disk space of their checkpoints. */
import type { Client } from "../../../src/client/client.ts";
import type { DiskUse } from "../../../src/contract/api/checkpoint-route.ts";
import type { SessionProcess } from "../../../src/contract/session/process.ts";
import type { Executor } from "../../../src/contract/session/session.ts";

export interface Running {
  executor: Executor;
  /** Of the agent and all it started; null where nobody can tell. */
  memoryBytes: number | null;
  processes: number | null;
  /** What the checkpoints of its session take; null where nobody can tell. */
  diskBytes: number | null;
}

/** So many are asked for their processes; the memory of the others is not told. */
const MAX_ASKED = 24;

export const readRunning = async (
  client: Pick<Client, "listExecutors" | "listProcesses" | "showDiskUse">,
): Promise<Running[]> => {
  const [{ executors }, disk] = await Promise.all([
    client.listExecutors(),
    client.showDiskUse().catch(() => null),
  ]);
  const live = executors.filter(({ status }) => status !== "stopped");
  const processes = await Promise.all(
    live.map(async ({ session_id }, i) =>
      i < MAX_ASKED
        ? client.listProcesses(session_id).then(
            (page) => page.processes,
            () => null,
          )
        : null,
    ),
  );
  return live.map((executor, i) =>
    runningOf(executor, processes[i] ?? null, disk),
  );
};

export const runningOf = (
  executor: Executor,
  processes: readonly Pick<SessionProcess, "memory_bytes">[] | null,
  disk: DiskUse | null,
): Running => ({
  executor,
  memoryBytes:
    processes?.reduce((sum, { memory_bytes }) => sum + memory_bytes, 0) ?? null,
  processes: processes?.length ?? null,
  diskBytes:
    disk === null
      ? null
      : (disk.sessions.find(({ id }) => id === executor.session_id)?.bytes ??
        0),
});

/** How agentctl stands that runs it, in a word. */
export const executorWords = {
  starting: "Starting",
  ready: "Ready",
  error: "Failed",
  stopped: "Stopped",
} as const;
