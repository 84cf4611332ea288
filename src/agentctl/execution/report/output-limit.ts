import { type History, quietPoint } from "../journal/history.ts";
import type { AgentFiles } from "../hold/files.ts";
import { keepNewest, punchHole } from "../hold/limit-output.ts";

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

/**
 * An agent may run for weeks, and its output is in the server's journal once that has acknowledged it. So its files are
 * looked at now and then: stderr is kept short, and stdout is given back to the file system as far as nobody reads it again.
 */
export class OutputWatch {
  /** Those who run, and how much of the beginning of their stdout is a hole. */
  readonly #running = new Map<Watched, number>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  watch(execution: Watched): void {
    this.#running.set(execution, 0);
    void execution.ended.promise.then(() => this.#running.delete(execution));
    this.#timer ??= setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const execution of this.#running.keys())
      if (execution.left) this.#running.delete(execution);
      else
        try {
          await this.#limit(execution);
        } catch (error) {
          execution.log("cannot limit the agent's output", error);
        }
    this.#isLooking = false;
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #limit(execution: Watched): Promise<void> {
    const { files, history, timeline } = execution;
    keepNewest(files.stderr, MAX_STDERR);
    const enough = (this.#running.get(execution) ?? 0) + STEP;
    if (reclaimable(history) < enough) return;
    // A full disk may not have taken the end of a turn: a successor of ours would read from the turn before.
    const end = reclaimable(await timeline.durable());
    if (end < enough || !this.#running.has(execution)) return;
    punchHole(files.stdout, end);
    this.#running.set(execution, end);
  }
}

/** A server goes on from what it acknowledged, a successor of ours from the end of the last turn. */
const reclaimable = (history: History): number =>
  Math.min(history.acknowledged, quietPoint(history).at) - KEPT_STDOUT;

/** Whether so much of stdout may be a hole. */
export const mayBeHole = (history: History, from: number): boolean =>
  from < reclaimable(history);
