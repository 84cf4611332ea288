import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { StartFailure } from "../../contract/link/report.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import { hasErrno } from "../../kit/errno.ts";
import {
  endMarked,
  kill,
  markedProcesses,
} from "../../kit/processes/marked-processes.ts";
import { factsOf } from "../../kit/processes/proc.ts";
import { isRunning } from "../../kit/processes/process-identity.ts";
import { onceDescriptorsAreLeft } from "../base/descriptors.ts";
import type { Execution } from "./execution.ts";
import { mayBeHole } from "./report/output-limit.ts";
import { endingOf, stderrTail } from "./hold/exit.ts";
import { endedEarly, failed, withLastWords } from "./start-failure.ts";

/** Stops an agent: asks it to close its session, then its process group to terminate, then kills. Resolves when it has ended. */
export const stop = async (
  execution: Execution,
  graceMs: number,
): Promise<void> => {
  const { history, timeline, ended } = execution;
  if (!history.ended) {
    if (!history.stopping) {
      timeline.record({ kind: "stopping" });
      await execution.daemon.seen.keep(execution);
    }
    if (graceMs > 0) await askToEnd(execution, graceMs);
    await killGroup(execution, "SIGKILL");
  }
  await ended.promise;
};

/** Half of the grace is for words, half for the signal. */
const askToEnd = async (
  execution: Execution,
  graceMs: number,
): Promise<void> => {
  const ended = execution.ended.promise;
  const half = () => pause(graceMs / 2, undefined, { ref: false });
  execution.want({ kind: "close" });
  await Promise.race([execution.closed.promise, ended, half()]);
  await killGroup(execution, "SIGTERM");
  await Promise.race([ended, half()]);
};

/** Gives up an agent that could not be brought to take prompts. */
export const giveUp = async (
  execution: Execution,
  failure: StartFailure,
  message: string,
  restriction?: Restriction,
): Promise<void> => {
  const { timeline, history, readTo } = execution;
  if (history.failed || history.ended) return;
  const isQuiet =
    failure === "agent_not_answering" || failure === "agent_not_reading";
  const what = isQuiet
    ? withLastWords(message, stderrTail(execution.files))
    : message;
  const login = execution.agent?.login;
  timeline.record({
    kind: "failed",
    at: readTo,
    ...failed(failure, what, login),
    ...(restriction && { restriction }),
  });
  timeline.record({ kind: "stopping" });
  if (history.wrapper === null) await conclude(execution);
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
 * The agent is gone. Its execution has ended when everything that bears its mark is gone too: shells that an agent
 * started leave its process group and go on writing.
 */
export const conclude = (execution: Execution): Promise<void> =>
  (execution.concluding ??= concludeOnce(execution).catch((error: unknown) => {
    // Whoever asks next tries again.
    execution.concluding = null;
    throw error;
  }));

const concludeOnce = async (execution: Execution): Promise<void> => {
  const waiting = (error: unknown): void =>
    execution.log("the end has to wait", error);
  // It ended by itself: what it had started may still be there.
  if (!execution.history.stopping)
    await execution.daemon.seen.keep(execution, { beside: true });
  await onceDescriptorsAreLeft(() => endAllMarked(execution), waiting);
  await execution.release();
  if (execution.left) return;
  await execution.daemon.proxies.close(execution.id);
  const { timeline, readTo } = execution;
  await execution.daemon.disk.tellIfFull(execution);
  const ending = await onceDescriptorsAreLeft(
    () => endingOf(execution.files),
    waiting,
  );
  const stderr_tail = stderrTail(execution.files);
  const { history } = execution;
  const { stopping, outputLost } = history;
  if (history.ready === null && !history.failed && !stopping)
    timeline.record({
      kind: "failed",
      at: readTo,
      ...endedEarly(ending, stderr_tail),
    });
  timeline.record({
    kind: "ended",
    at: readTo,
    ending: outputLost
      ? { kind: "output_lost" }
      : stopping
        ? { kind: "stopped" }
        : ending,
    stderr_tail,
  });
  execution.ended.resolve();
};

const endAllMarked = async (execution: Execution): Promise<void> => {
  while (!(await endMarked(execution.mark, 5000))) {
    if (execution.left) return;
    execution.log("processes of the execution cannot be ended");
    await pause(1000);
  }
};

/**
 * A file shorter than what a server has of it lost bytes when the machine went down. The agent went with it; if not, it
 * has to. A server that was put back from an old copy may ask for words that were given back to the file system.
 */
export const checkOutput = async (
  execution: Execution,
  from: number,
): Promise<void> => {
  const { files, history } = execution;
  const isWhole =
    from === 0
      ? !mayBeHole(history, from) || (await hasBeginning(files.stdout))
      : await isWholeUpTo(files.stdout, from);
  if (!isWhole) await loseOutput(execution);
};

const hasBeginning = async (path: string): Promise<boolean> => {
  await using file = await open(path, "r");
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
  return buffer[0] !== 0;
};

/** What was acknowledged ends with a line, or with the file. An agent that lives may have written on behind a cut. */
const isWholeUpTo = async (path: string, to: number): Promise<boolean> => {
  try {
    await using file = await open(path, "r");
    const { size } = await file.stat();
    if (to >= size) return to === size;
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, to - 1);
    return buffer[0] === 0x0a;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return false;
    throw error;
  }
};

export const loseOutput = async (execution: Execution): Promise<void> => {
  if (execution.history.outputLost) return;
  execution.timeline.record({ kind: "output_lost" });
  await stop(execution, 0);
};

/** The wrapper leads the group. Only while it is the process we started does the number mean anything. */
export const killGroup = async (
  { history: { wrapper, ended }, ordered, mark }: Execution,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (ended || wrapper === null || !(await isRunning(wrapper))) return;
  if (signal === "SIGKILL" || ordered.definition.sandbox === undefined)
    return void kill(-wrapper.pid, signal);
  for (const pid of await insideOf(wrapper.pid, mark)) kill(pid, signal);
};

/** What runs in the sandbox: should bubblewrap itself be asked to end, all of it would be killed at once. */
const insideOf = async (wrapper: number, mark: string): Promise<number[]> => {
  const pids = await markedProcesses(mark);
  return pids.filter((pid) => {
    const facts = pid === wrapper ? null : factsOf(pid, 0);
    return facts?.pgid === wrapper && facts.ppid !== wrapper;
  });
};
