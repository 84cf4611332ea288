import { join } from "node:path";
import { TERM_LIMIT, termIn } from "../../contract/link/link.ts";
import {
  readIfThere,
  sweepDrafts,
  writeDurably,
} from "../../kit/files/durable-file.ts";

/** The highest term any server of an owner ever said hello with. A lower one has been superseded, for ever. */
export class Term {
  readonly #path: string;
  #highest: number;
  #durable: number;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, highest: number) {
    this.#path = path;
    this.#highest = highest;
    this.#durable = highest;
  }

  /** Whoever calls this holds the lock: nobody else writes here. */
  static async open(directory: string, name = "term"): Promise<Term> {
    const path = join(directory, name);
    await sweepDrafts(path);
    const stored = termIn(await readIfThere(path));
    // A number that a failing disk has spoilt locks nobody out.
    return new Term(path, stored < TERM_LIMIT ? stored : 0);
  }

  get highest(): number {
    return this.#highest;
  }

  /** Resolves when it is durable that this term has been seen; false when a higher one was before, or came meanwhile. */
  async claim(term: number): Promise<boolean> {
    if (term < this.#highest) return false;
    // Refuse older ones from now on: should the write fail, they are refused without need, which hurts nobody.
    this.#highest = term;
    // One after the other: of two at once the lower one must not be the last to reach the disk.
    const settled = this.#writing.catch(() => undefined);
    this.#writing = settled.then(() => this.#settle());
    await this.#writing;
    return term === this.#highest;
  }

  async #settle(): Promise<void> {
    const term = this.#highest;
    if (term <= this.#durable) return;
    await writeDurably(this.#path, `${term}\n`);
    this.#durable = term;
  }
}
