import type { StartFailure } from "../contract/report.ts";
import type { Ending } from "../contract/ending.ts";
import { setTimeout as pause } from "node:timers/promises";
import { endMarked, kill } from "../kit/marked-processes.ts";
import { isRunning } from "../kit/process-identity.ts";
import type { Execution } from "./execution.ts";
import { endingOf, stderrTail } from "./hold/exit.ts";

/** Stops an agent: asks it to close, then its process group to terminate, then kills. Resolves when `ended` is journalled. */
export const stop = async (
  execution: Execution,
  graceMs: number,
): Promise<void> => {
  const { history } = execution;
  if (!history.ended && !history.stopping) {
    execution.record({ kind: "stopping" });
    await askToEnd(execution, graceMs);
    await killGroup(execution, "SIGKILL");
  }
  await execution.ended.promise;
};

const askToEnd = async (
  execution: Execution,
  graceMs: number,
): Promise<void> => {
  if (graceMs <= 0) return;
  const over = AbortSignal.timeout(graceMs);
  const graceOver = new Promise<void>((resolve) => {
    over.addEventListener("abort", () => resolve(), { once: true });
  });
  execution.want({ kind: "close" });
  // Half of the grace for words, half for the signal.
  await Promise.race([
    execution.closed.promise,
    execution.ended.promise,
    pause(graceMs / 2, undefined, { ref: false }),
  ]);
  await killGroup(execution, "SIGTERM");
  await Promise.race([execution.ended.promise, graceOver]);
};

/** Gives an agent up that could not be brought to take prompts. */
export const giveUp = async (
  execution: Execution,
  failure: StartFailure,
  message: string,
): Promise<void> => {
  if (execution.history.failed || execution.history.ended) return;
  execution.record({
    kind: "failed",
    at: execution.heard,
    failure,
    message,
  });
  execution.record({ kind: "stopping" });
  if (execution.history.wrapper === null) await conclude(execution);
  else await killGroup(execution, "SIGKILL");
};

export const concludeWhen = (
  execution: Execution,
  gone: Promise<void>,
): void => {
  gone
    .then(() => conclude(execution))
    .catch((error: unknown) => execution.log("cannot conclude", error));
};

/**
 * The wrapper is gone. The execution has ended when everything that bears its mark is gone too: shells that an agent
 * started leave its process group and go on writing.
 */
export const conclude = async (execution: Execution): Promise<void> => {
  while (!(await endMarked(execution.mark, 5000))) {
    execution.log("processes of the execution cannot be ended");
    await pause(1000);
  }
  await execution.release();
  const ending = await endingOf(execution.files);
  const stderr_tail = await stderrTail(execution.files);
  const { ready, failed, stopping } = execution.history;
  if (ready === null && !failed && !stopping)
    execution.record({
      kind: "failed",
      at: execution.heard,
      ...whyItEnded(ending, stderr_tail),
    });
  await execution.recordDurably({
    kind: "ended",
    at: execution.heard,
    ending: execution.history.stopping ? { kind: "stopped" } : ending,
    stderr_tail,
  });
  execution.ended.resolve();
};

/** 126 and 127 are how a shell says that there is no such program, or that it may not run it. */
const whyItEnded = (
  ending: Ending,
  stderr: string,
): { failure: StartFailure; message: string } => {
  const missing =
    ending.kind === "exited" && (ending.code === 126 || ending.code === 127);
  return {
    failure: missing ? "agent_not_installed" : "agent_exited",
    message: stderr === "" ? "It said nothing on stderr." : stderr,
  };
};

/** The wrapper leads the group. Whether it is still the one we started decides whether the number may be used. */
export const killGroup = async (
  { history: { wrapper, ended } }: Execution,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (ended || wrapper === null) return;
  if (await isRunning(wrapper)) kill(-wrapper.pid, signal);
};
