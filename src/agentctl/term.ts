import { join } from "node:path";
import { readIfThere, writeDurably } from "../kit/durable-file.ts";

/** The highest term any server ever said hello with. A lower one has been superseded, for ever. */
export class Term {
  readonly #path: string;
  #highest: number;
  #durable: number;

  private constructor(path: string, highest: number) {
    this.#path = path;
    this.#highest = highest;
    this.#durable = highest;
  }

  static async open(directory: string): Promise<Term> {
    const path = join(directory, "term");
    const text = await readIfThere(path);
    // A file that a failing disk has spoilt must not lock every server out.
    return new Term(path, Number.parseInt(text ?? "0", 10) || 0);
  }

  get highest(): number {
    return this.#highest;
  }

  /** Resolves when it is durable that this term has been seen; false when a higher one was before. */
  async claim(term: number): Promise<boolean> {
    if (term < this.#highest) return false;
    // Refuse older ones from now on: should the write fail, they are refused without need, which hurts nobody.
    this.#highest = term;
    if (term > this.#durable) {
      await writeDurably(this.#path, `${term}\n`);
      this.#durable = Math.max(this.#durable, term);
    }
    return term === this.#highest;
  }
}
