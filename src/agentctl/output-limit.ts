import { type History, quietPoint } from "./history.ts";
import type { AgentFiles } from "./hold/files.ts";
import { giveBack, keepNewest } from "./hold/limit-output.ts";

const EVERY_MS = 2000;
const MEBIBYTE = 1024 * 1024;
/** Of stderr: people look at its end when something went wrong. */
const MAX_STDERR = 8 * MEBIBYTE;
/** Of stdout, before what is needed: for a server that was put back from a somewhat older copy. */
export const KEPT_STDOUT = 16 * MEBIBYTE;
const STEP = 4 * MEBIBYTE;

/** What this needs of an execution. */
interface Watched {
  readonly files: AgentFiles;
  readonly history: History;
  readonly ended: { promise: Promise<unknown> };
  /** Another agentctl looks after it now. */
  readonly left: boolean;
  log(words: string, error?: unknown): void;
}

/** Those who run, and how much of the beginning of their stdout is given back. */
const running = new Map<Watched, number>();
let timer: NodeJS.Timeout | undefined;

/**
 * An agent may run for weeks, and its output is in the server's journal once that has acknowledged it. So its files are
 * looked at now and then: stderr is kept short, and stdout is given back as far as nobody reads it again.
 */
export const watchOutput = (execution: Watched): void => {
  running.set(execution, 0);
  void execution.ended.promise.then(() => running.delete(execution));
  timer ??= setInterval(look, EVERY_MS).unref();
};

const look = (): void => {
  for (const [execution, given] of running)
    if (execution.left) running.delete(execution);
    else
      try {
        running.set(execution, limitOutput(execution, given));
      } catch (error) {
        execution.log("cannot limit the agent's output", error);
      }
  if (running.size > 0) return;
  clearInterval(timer);
  timer = undefined;
};

const limitOutput = ({ files, history }: Watched, given: number): number => {
  keepNewest(files.stderr, MAX_STDERR);
  const end = unneeded(history);
  if (end < given + STEP) return given;
  giveBack(files.stdout, end);
  return end;
};

/** A server goes on from what it acknowledged, a successor of ours from the end of the last turn. */
const unneeded = (history: History): number =>
  Math.min(history.acknowledged, quietPoint(history).at) - KEPT_STDOUT;

/** Whether so much of stdout may have been given back. */
export const mayBeGivenBack = (history: History, from: number): boolean =>
  from < unneeded(history);
