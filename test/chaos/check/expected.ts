/**
 * What a workspace can hold, followed through a journal. A turn that was completed has done what it was told; one that
 * was cut off has done it or not, until a checkpoint shows which.
 */
import { dirname } from "node:path";
import { EMPTY_DIRECTORY, LOG, type Leaf } from "../user/speech.ts";
import type { Leaves } from "./restored.ts";

/** By path: what may be there; null for nothing. */
type Possible = Map<string, ReadonlySet<string | null>>;

const nothing: ReadonlySet<null> = new Set([null]);

/** How the demo agent says that a command it ran did not end by itself. Of its own children a shell tells that by a code above 128. */
const KILLED =
  /^The command ended with (signal \w+|exit code (129|1[3-9]\d|2\d\d))\.$/m;
const FAILED = /^The command ended with (?!exit code 0\.).+$/gm;

export class Expected {
  #possible: Possible = new Map();
  /** Commands only ever append to it. */
  #log = "";
  /** What agents said of commands that failed. */
  #failed: string[] = [];
  /** What it was before the turn that goes on. */
  #turn: { before: Possible; leaves: readonly Leaf[] } | null = null;

  turnStarted(leaves: readonly Leaf[]): void {
    this.#turn = { before: new Map(this.#possible), leaves };
    for (const { path, holds, told } of leaves) {
      // A file is emptied before it is written, and the writer may die in between.
      const begun = told === null ? [] : [""];
      this.#possible.set(path, new Set([...this.#at(path), ...begun, holds]));
      // Its directory comes first, and is seen as long as nothing is in it.
      for (const above of directoriesOf(path))
        this.#possible.set(
          above,
          new Set([...this.#at(above), null, EMPTY_DIRECTORY]),
        );
    }
  }

  /** What the agent did not speak of it has not done: it was not allowed to. A command that was killed has or has not. */
  turnCompleted(said: string): void {
    const { before, leaves } = this.#turn ?? { before: new Map(), leaves: [] };
    const wasKilled = KILLED.test(said);
    this.#failed.push(...(said.match(FAILED) ?? []));
    for (const { path, holds, told } of leaves) {
      if (told === null && wasKilled) continue;
      const isDone = told === null || said.includes(told);
      const settle = (at: string, done: ReadonlySet<string | null>) =>
        this.#possible.set(at, isDone ? done : (before.get(at) ?? nothing));
      settle(path, new Set([holds]));
      for (const above of directoriesOf(path)) settle(above, nothing);
    }
    this.#turn = null;
  }

  turnCutOff(): void {
    this.#turn = null;
  }

  /** It is this now, whatever it was. */
  becomes(leaves: Leaves): void {
    this.#possible = new Map(
      [...leaves].map(([path, holds]) => [path, new Set([holds])]),
    );
    this.#log = leaves.get(LOG) ?? "";
  }

  /** What is wrong with what a checkpoint holds. What is right is known from then on. */
  hold(leaves: Leaves, except: ReadonlySet<string>): string[] {
    const wrong: string[] = [];
    const paths = new Set([...this.#possible.keys(), ...leaves.keys()]);
    paths.delete(LOG);
    for (const path of paths) {
      const found = leaves.get(path) ?? null;
      if (except.has(path)) continue;
      if (!this.#at(path).has(found))
        wrong.push(
          `${path} is ${words(found)} instead of ${[...this.#at(path)].map(words).join(" or ")}${this.#said()}`,
        );
      else if (this.#turn === null) this.#possible.set(path, new Set([found]));
    }
    const log = leaves.get(LOG) ?? "";
    if (except.has(LOG)) return wrong;
    if (!log.startsWith(this.#log))
      wrong.push(
        `${LOG} has lost lines: ${log.length} bytes are not a continuation of the ${this.#log.length} before`,
      );
    this.#log = log;
    return wrong;
  }

  #said(): string {
    const last = this.#failed.at(-1);
    return last === undefined ? "" : ` (an agent had said: ${last})`;
  }

  #at(path: string): ReadonlySet<string | null> {
    return this.#possible.get(path) ?? nothing;
  }
}

const directoriesOf = (path: string): string[] => {
  const above = dirname(path);
  return above === "." ? [] : [above, ...directoriesOf(above)];
};

const words = (holds: string | null): string =>
  holds === null ? "missing" : JSON.stringify(holds.slice(0, 100));
