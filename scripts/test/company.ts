/**
 * Which test files need a process of their own. Most do not: they call functions, or start processes and threads, and look
 * at what comes of it. Those that change what a process has only once run alone; so do those with hooks outside of any
 * suite, which would be everybody's, unless they only clear up at the end. What a file uses of other test code counts as its own.
 *
 * Test code that says `Together: why` wants the contrary: whoever uses it shares a process however long it takes, since
 * something that the process has once is costly.
 */
import { existsSync } from "node:fs";
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

const TOGETHER = /^(?:\/\/| \*) Together: /m;

export type Company = "alone" | "light" | "together";

/** Tests and what serves only them (`test/house/rooms.ts` has the same rule). */
const TEST_CODE =
  /\.test\.ts$|\/test\/|\/fixtures\/|\/session\/(invariants|testing)\.ts$/;

/** Types are gone when it runs. */
const IMPORT =
  /^(?:import\s+|(?:import|export)\b(?! type\b)[^"';]*\bfrom\s+)["'](\.[^"']+)["']/gm;

/** Remembers what it has read: many tests share a fixture. */
export class Companies {
  readonly #known = new Map<string, Promise<Company>>();

  /** With whom a file of test code may run in a process. */
  of(file: string): Promise<Company> {
    const known = this.#known.get(file) ?? this.#look(file);
    this.#known.set(file, known);
    return known;
  }

  async #look(file: string): Promise<Company> {
    const text = await readFile(file, "utf8");
    if (TOGETHER.test(text)) return "together";
    const used = [...text.matchAll(IMPORT)]
      .map(([, path = ""]) => resolve(dirname(file), path))
      // A file that holds another one as a text may name what is not there.
      .filter((path) => TEST_CODE.test(path) && existsSync(path));
    const all = new Set<Company>();
    for (const path of used) all.add(await this.of(path));
    if (all.has("together")) return "together";
    const isAlone = all.has("alone") || ALONE.some((sign) => sign.test(text));
    return isAlone ? "alone" : "light";
  }
}
