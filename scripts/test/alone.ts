/**
 * Which test files need a process of their own. Most do not: they call functions, or start processes and threads, and look
 * at what comes of it. Those that change what a process has only once run alone; so do those with hooks outside of any
 * suite, which would be everybody's, unless they only clear up at the end. What a file uses of other test code counts as its own.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const ALONE = [
  // It says so itself: what its tests look at is the whole process's.
  /^\/\/ Alone: /m,
  /\b(?:node:)?(?:cluster|inspector)\b/,
  // The environment, the working directory, the exit, signals.
  /\bprocess\.env\[[^\]]+\]\s*=[^=]|\bdelete process\.env\b/,
  /\bprocess\.(?:chdir|umask|exit|on|once|exitCode|kill|setuid|stdout|stderr)\b/,
  /\bglobalThis\b|\bmock\.(?:module|timers)\b/,
  // A hook at the beginning of a line is in no suite.
  /^(?:before|beforeEach|afterEach)\(/m,
];

/** Tests and what serves only them (`test/house/rooms.ts` has the same rule). */
const TEST_CODE =
  /\.test\.ts$|\/test\/|\/fixtures\/|\/session\/(invariants|testing)\.ts$/;

/** Types are gone when it runs. */
const IMPORT =
  /^(?:import\s+|(?:import|export)\b(?! type\b)[^"';]*\bfrom\s+)["'](\.[^"']+)["']/gm;

/** Remembers what it has read: many tests share a fixture. */
export class Alone {
  readonly #known = new Map<string, Promise<boolean>>();

  /** Whether a file of test code must run in a process of its own. */
  mustBe(file: string): Promise<boolean> {
    const known = this.#known.get(file) ?? this.#look(file);
    this.#known.set(file, known);
    return known;
  }

  async #look(file: string): Promise<boolean> {
    const text = await readFile(file, "utf8");
    if (ALONE.some((sign) => sign.test(text))) return true;
    const used = [...text.matchAll(IMPORT)]
      .map(([, path = ""]) => resolve(dirname(file), path))
      .filter((path) => TEST_CODE.test(path));
    for (const path of used) if (await this.mustBe(path)) return true;
    return false;
  }
}
