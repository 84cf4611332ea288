import { type History, quietPoint } from "./journal/history.ts";
import type { AgentFiles } from "./hold/files.ts";
import { keepNewest, punchHole } from "./hold/limit-output.ts";

const EVERY_MS = 2000;
const MEBIBYTE = 1024 * 1024;
/** Of stderr: people look at its end when something went wrong. */
const MAX_STDERR = 8 * MEBIBYTE;
/** Of stdout, before what is needed: for a server that was put back from a somewhat older copy. */
const KEPT_STDOUT = 16 * MEBIBYTE;
const STEP = 4 * MEBIBYTE;

/** What this needs of an execution. */
interface Watched {
  readonly files: AgentFiles;
  readonly history: History;
  readonly timeline: { durable(): Promise<History> };
  readonly ended: { promise: Promise<unknown> };
  /** Another agentctl looks after it now. */
  readonly left: boolean;
  log(words: string, error?: unknown): void;
}

/** Those who run, and how much of the beginning of their stdout is a hole. */
const running = new Map<Watched, number>();
let timer: NodeJS.Timeout | undefined;
let isLooking = false;

/**
 * An agent may run for weeks, and its output is in the server's journal once that has acknowledged it. So its files are
 * looked at now and then: stderr is kept short, and stdout is given back to the file system as far as nobody reads it again.
 */
export const watchOutput = (execution: Watched): void => {
  running.set(execution, 0);
  void execution.ended.promise.then(() => running.delete(execution));
  timer ??= setInterval(() => void look(), EVERY_MS).unref();
};

const look = async (): Promise<void> => {
  if (isLooking) return;
  isLooking = true;
  for (const execution of running.keys())
    if (execution.left) running.delete(execution);
    else
      try {
        await limitOutput(execution);
      } catch (error) {
        execution.log("cannot limit the agent's output", error);
      }
  isLooking = false;
  if (running.size > 0) return;
  clearInterval(timer);
  timer = undefined;
};

const limitOutput = async (execution: Watched): Promise<void> => {
  const { files, history, timeline } = execution;
  keepNewest(files.stderr, MAX_STDERR);
  const enough = (running.get(execution) ?? 0) + STEP;
  if (reclaimable(history) < enough) return;
  // A full disk may not have taken the end of a turn: a successor of ours would read from the turn before.
  const end = reclaimable(await timeline.durable());
  if (end < enough || !running.has(execution)) return;
  punchHole(files.stdout, end);
  running.set(execution, end);
};

/** A server goes on from what it acknowledged, a successor of ours from the end of the last turn. */
const reclaimable = (history: History): number =>
  Math.min(history.acknowledged, quietPoint(history).at) - KEPT_STDOUT;

/** Whether so much of stdout may be a hole. */
export const mayBeHole = (history: History, from: number): boolean =>
  from < reclaimable(history);
