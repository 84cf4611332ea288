/**
 * What a README shows of a terminal, and how it is compared with a real one.
 *
 *   $ command          what is typed; the lines after it are what it prints
 *   ^C                 Ctrl-C, typed at the command that runs on from an earlier block
 *   …                  any lines, or none
 *
 * Ids, ages, durations, times, sizes, ports, process ids and the reader's own paths differ from run to run: both sides are
 * reduced to what stays the same. Ids become their number in order of appearance, so that they must agree with each other.
 */
import { CAPTURING } from "../../src/cli/follow/follow.ts";

export interface Entry {
  /** Null for Ctrl-C. */
  command: string | null;
  output: string[];
}

/** The terminal blocks of a document: those marked `sh` that hold at least one command. */
export const terminalBlocks = (document: string): Entry[][] =>
  [...document.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block = ""]) => entriesOf(block))
    .filter((entries) => entries.length > 0);

const entriesOf = (block: string): Entry[] => {
  const entries: Entry[] = [];
  for (const line of block.trimEnd().split("\n")) {
    if (line.startsWith("$ "))
      entries.push({ command: line.slice(2), output: [] });
    else if (line === "^C") entries.push({ command: null, output: [] });
    else entries.at(-1)?.output.push(line);
  }
  return entries;
};

/** What the command line says on a slow machine. */
const TAKES_A_WHILE = `(${CAPTURING} …)\n`;

const id = /\b(?:(?:ses|tsk|prm|exe)_[0-9a-z]{26}|(?:per|msg|chk)_[\d_]+)\b/g;

/** One side of the comparison: remembers its ids by order of appearance. */
export class Side {
  readonly #you: string;
  readonly #ids: string[];

  /** @param you the directory that is the reader's own. */
  constructor(you: string, ids: readonly string[] = []) {
    this.#you = you;
    this.#ids = [...ids];
  }

  /** For a comparison that may fail and be made again. */
  copy(): Side {
    return new Side(this.#you, this.#ids);
  }

  /** What stays the same of a text. */
  reduce(text: string): string {
    return text
      .replaceAll(TAKES_A_WHILE, "")
      .replaceAll(this.#you, "<you>")
      .replaceAll(id, (found) => `<id ${this.#numberOf(found)}>`)
      .replaceAll(/\b(127\.0\.0\.1|localhost):\d+/g, "$1:<port>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/\b\d\d:\d\d:\d\d\b/g, "<time>")
      .replaceAll(/\b(just now|\d+ (s|min|h) ago)\b/g, "<ago>")
      .replaceAll(/\b(now|\d+(\.\d+)? (ms|s|min|h))\b/g, "<while>")
      .replaceAll(/\b(pid|process) \d+/g, "$1 <pid>")
      .replaceAll(/\b\d+(\.\d+)? ([KMG]i)?B\b/g, "<size>")
      .split("\n")
      .map((line) => line.trimEnd().replaceAll(/(?<=\S) {2,}/g, "  "))
      .join("\n")
      .trimEnd();
  }

  /** The id that is this one's counterpart on the other side. */
  translate(text: string, other: Side): string {
    return text.replaceAll(id, (found) => {
      const counterpart = other.#ids[this.#ids.indexOf(found)];
      if (counterpart === undefined)
        throw new Error(`${found} is used before anything printed it`);
      return counterpart;
    });
  }

  #numberOf(found: string): number {
    if (!this.#ids.includes(found)) this.#ids.push(found);
    return this.#ids.indexOf(found) + 1;
  }
}

/** The actual lines with those that `…` stands for left out, so that what remains can be compared with the expected. */
export const elide = (expected: string, actual: string): string => {
  const wanted = expected.split("\n");
  const lines = actual.split("\n");
  const kept: string[] = [];
  for (const [at, line] of wanted.entries()) {
    if (line !== "…") {
      kept.push(...lines.splice(0, 1));
      continue;
    }
    const next = wanted[at + 1];
    const found = next === undefined ? lines.length : lines.indexOf(next);
    lines.splice(0, found === -1 ? 0 : found);
    kept.push("…");
  }
  return [...kept, ...lines].join("\n");
};
