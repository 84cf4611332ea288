import { join } from "node:path";
import { OwnerId } from "../../contract/base/id.ts";
import { OWNER_FILE } from "../../contract/link/link.ts";
import {
  readIfThere,
  sweepDrafts,
  writeDurably,
} from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { Term } from "./term.ts";

/** Whose orders are taken: another home's, or null for those of the home that agentctl lives in. */
export type Owner = OwnerId | null;

const LAST_FILE = "home-owner";

/** Null where there is none, or something else has its name. */
const idIn = async (path: string): Promise<OwnerId | null> => {
  const text = await readIfThere(path).catch(() => null);
  return OwnerId.safeParse(text?.trim()).data ?? null;
};

/** The owners that have said hello, each with its own terms: `term` for the home's own, `terms/<id>` for others. */
export class Owners {
  readonly #home: string;
  readonly #directory: string;
  readonly #own: Term;
  readonly #others = new Map<OwnerId, Promise<Term>>();
  /** Who served the home when its file last said so. */
  #last: OwnerId | null;

  private constructor(
    home: string,
    directory: string,
    own: Term,
    last: OwnerId | null,
  ) {
    this.#home = home;
    this.#directory = directory;
    this.#own = own;
    this.#last = last;
  }

  /** Whoever calls this holds the lock of `directory`: nobody else writes there. */
  static async open(home: string, directory: string): Promise<Owners> {
    const last = join(directory, LAST_FILE);
    await sweepDrafts(last);
    return new Owners(
      home,
      directory,
      await Term.open(directory),
      await idIn(last),
    );
  }

  /**
   * A server that does not say which home it serves is of an older release, and serves ours. One that did serve it does so
   * until another one comes with the id that the home has now: somebody may have removed or replaced the file meanwhile,
   * and its agents are not strangers' for that.
   */
  async ownerOf(ownerId: OwnerId | undefined): Promise<Owner> {
    if (ownerId === undefined) return null;
    if ((await idIn(join(this.#home, OWNER_FILE))) === ownerId) {
      await this.#remember(ownerId);
      return null;
    }
    return ownerId === this.#last ? null : ownerId;
  }

  async #remember(owner: OwnerId): Promise<void> {
    if (owner === this.#last) return;
    this.#last = owner;
    // On a full disk the next agentctl does not know it; that keeps nobody from working now.
    await writeDurably(join(this.#directory, LAST_FILE), `${owner}\n`).catch(
      () => undefined,
    );
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
