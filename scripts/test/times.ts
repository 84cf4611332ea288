/**
 * What test files took, so that the longest begin first. `times.json` holds those that take a while, as the last run with
 * `--record` on a quiet machine had them; it decides about the order and nothing else, so it may be out of date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import type { FileResult } from "./file-result.ts";

export interface Time {
  /** From its beginning to its end. */
  seconds: number;
  /** Of a processor. */
  cpu: number;
}

const path = join(import.meta.dirname, "times.json");
const File = z.record(z.string(), z.tuple([z.number(), z.number()]));

/** Shorter ones are not worth a line. */
const LEAST_SECONDS = 2;
/** What a file takes that is not among them. */
const SHORT: Time = { seconds: 1, cpu: 1 };

export class Times {
  readonly #known: ReadonlyMap<string, Time>;

  constructor(known: ReadonlyMap<string, Time>) {
    this.#known = known;
  }

  static async read(): Promise<Times> {
    const text = await readFile(path, "utf8").catch(() => "{}");
    const entries = Object.entries(File.parse(JSON.parse(text)));
    return new Times(
      new Map(
        entries.map(([file, [seconds, cpu]]) => [file, { seconds, cpu }]),
      ),
    );
  }

  /** By its path from the root. */
  of(file: string): Time {
    return this.#known.get(file) ?? SHORT;
  }
}

/** Writes down what a run took. */
export const recordTimes = async (
  root: string,
  results: readonly FileResult[],
): Promise<void> => {
  const lines = results
    .filter(({ ms }) => ms >= LEAST_SECONDS * 1000)
    .map(({ file, ms, cpuMs }) => {
      const pair = [ms, cpuMs ?? ms].map((each) => Math.round(each / 1000));
      return `  ${JSON.stringify(relative(root, file))}: [${pair.join(", ")}]`;
    });
  await writeFile(path, `{\n${lines.toSorted().join(",\n")}\n}\n`);
};
