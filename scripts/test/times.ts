/**
 * What test files took, so that the longest begin first. `times.json` holds those that take a while, as the last run with
 * `--record` on a quiet machine had them; it decides about the order and nothing else, so it may be out of date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import * as z from "zod";
import type { FileResult } from "./file-result.ts";

const path = join(import.meta.dirname, "times.json");
const File = z.record(z.string(), z.number());

/** Shorter ones are not worth a line. */
const LEAST_SECONDS = 2;
/** What a file takes that is not among them. */
const SHORT_SECONDS = 1;

export class Times {
  readonly #known: ReadonlyMap<string, number>;

  constructor(known: ReadonlyMap<string, number>) {
    this.#known = known;
  }

  static async read(): Promise<Times> {
    const text = await readFile(path, "utf8").catch(() => "{}");
    return new Times(new Map(Object.entries(File.parse(JSON.parse(text)))));
  }

  /** In seconds. A file is known by its path from the root. */
  of(file: string): number {
    return this.#known.get(file) ?? SHORT_SECONDS;
  }
}

/** Writes down what a run took. */
export const recordTimes = async (
  root: string,
  results: readonly FileResult[],
): Promise<void> => {
  const lines = results
    .filter(({ ms }) => ms >= LEAST_SECONDS * 1000)
    .map(
      ({ file, ms }) =>
        `  ${JSON.stringify(relative(root, file))}: ${Math.round(ms / 1000)}`,
    );
  await writeFile(path, `{\n${lines.toSorted().join(",\n")}\n}\n`);
};
