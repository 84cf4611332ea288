import { statfs } from "node:fs/promises";

const EVERY_MS = 2000;
/** With less than this left, what an agent writes may get lost. */
const FULL_BYTES = 64 * 1024;

/** With this much left again, the disk counts as another than the full one that was told of. */
const ROOM_BYTES = 1024 * 1024;

const WORDS =
  "The disk is full: what the agent says may be lost, and what it is told waits until there is room. Free some space.";

/** What this needs of an execution. */
interface Watched {
  readonly files: { directory: string };
  readonly ended: { promise: Promise<unknown> };
  /** Another agentctl looks after it now. */
  readonly left: boolean;
  notice(code: string, words: string): void;
}

/**
 * Agents write into files. On a full disk their words are lost where nobody sees it, unless they die of it: so we look,
 * and tell everybody who runs, once until there is room again. A disk that is nearly full is full now and then, as files
 * come and go: that is still the same.
 */
export class DiskWatch {
  readonly #running = new Set<Watched>();
  /** Those who were told and have seen no room since. */
  readonly #noticed = new WeakSet<Watched>();
  #timer: NodeJS.Timeout | undefined;

  watch(execution: Watched): void {
    this.#running.add(execution);
    void execution.ended.promise.then(() => this.#running.delete(execution));
    this.#timer ??= setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  /** The same look, for one that has just died: perhaps of it. */
  async tellIfFull(execution: Watched): Promise<void> {
    if ((await roomIn(execution)) < FULL_BYTES) this.tellFull(execution);
  }

  tellFull(execution: Watched): void {
    if (this.#noticed.has(execution)) return;
    this.#noticed.add(execution);
    execution.notice("disk_full", WORDS);
  }

  /** Tells it of a disk with so many bytes left. */
  heed(execution: Watched, bytes: number): void {
    if (bytes < FULL_BYTES) this.tellFull(execution);
    else if (bytes >= ROOM_BYTES) this.#noticed.delete(execution);
  }

  async #look(): Promise<void> {
    for (const execution of this.#running) {
      if (execution.left) this.#running.delete(execution);
      else this.heed(execution, await roomIn(execution));
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Where nobody can tell, there is some. */
const roomIn = async ({ files }: Watched): Promise<number> => {
  const found = await statfs(files.directory).catch(() => null);
  return found === null ? FULL_BYTES : found.bavail * found.bsize;
};
