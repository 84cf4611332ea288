import { join } from "node:path";
import type { OwnerId } from "../../contract/id.ts";
import { OWNER_FILE } from "../../contract/link.ts";
import { readIfThere } from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { Term } from "./term.ts";

/** Whose orders are taken: another home's, or null for those of the home that agentctl lives in. */
export type Owner = OwnerId | null;

/** The owners that have said hello, each with its own terms: `term` for the home's own, `terms/<id>` for others. */
export class Owners {
  readonly #home: string;
  readonly #directory: string;
  readonly #own: Term;
  readonly #others = new Map<OwnerId, Promise<Term>>();

  private constructor(home: string, directory: string, own: Term) {
    this.#home = home;
    this.#directory = directory;
    this.#own = own;
  }

  /** Whoever calls this holds the lock of `directory`: nobody else writes there. */
  static async open(home: string, directory: string): Promise<Owners> {
    return new Owners(home, directory, await Term.open(directory));
  }

  /** A server that does not say which home it serves is of an older release, and serves ours. */
  async ownerOf(told: OwnerId | undefined): Promise<Owner> {
    if (told === undefined) return null;
    const text = await readIfThere(join(this.#home, OWNER_FILE));
    return text?.trim() === told ? null : told;
  }

  termOf(owner: Owner): Promise<Term> {
    if (owner === null) return Promise.resolve(this.#own);
    const known = this.#others.get(owner) ?? this.#open(owner);
    this.#others.set(owner, known);
    return known;
  }

  async #open(owner: OwnerId): Promise<Term> {
    const directory = join(this.#directory, "terms");
    try {
      await makeDirectory(directory);
      return await Term.open(directory, owner);
    } catch (error) {
      this.#others.delete(owner);
      throw error;
    }
  }
}
