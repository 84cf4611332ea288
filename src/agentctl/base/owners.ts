import { join } from "node:path";
import { OwnerId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { CLAIM_FILE, OWNER_FILE } from "../../contract/link/link.ts";
import {
  createDurably,
  readIfThere,
  sweepDrafts,
  writeDurably,
} from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { readOurs } from "../../kit/files/own-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";
import { Term } from "./term.ts";

/** Whose orders are taken: another home's, or null for those of the home that agentctl lives in. */
export type Owner = OwnerId | null;

const LAST_FILE = "home-owner";

/** Null where there is none, or something else has its name. */
const idIn = async (path: string): Promise<OwnerId | null> => {
  const text = await readIfThere(path).catch(() => null);
  return OwnerId.safeParse(text?.trim()).data ?? null;
};

/** Null where nobody has claimed it. A damaged file keeps everybody out until a person has looked at it. */
const claimIn = async (path: string): Promise<OwnerId | null> => {
  const text = await readOurs(path);
  if (text === null) return null;
  const owner = OwnerId.safeParse(text.trim()).data;
  if (owner !== undefined) return owner;
  throw new UnusableFile(
    "damaged",
    `${path} does not hold the id of an owner. Put the file back, or remove it: then the first server that connects over the network becomes the owner.`,
  );
};

/**
 * The owners that have said hello, each with its own terms: `term` for the home's own, `terms/<id>` for others. A home that
 * a server has claimed over the network serves that owner and nobody else, over every connection.
 */
export class Owners {
  readonly #home: string;
  readonly #directory: string;
  readonly #own: Term;
  readonly #others = new Map<OwnerId, Promise<Term>>();
  /** Who served the home when its file last said so. */
  #last: OwnerId | null;
  #claimed: OwnerId | null;

  private constructor(
    home: string,
    directory: string,
    own: Term,
    last: OwnerId | null,
    claimed: OwnerId | null,
  ) {
    this.#home = home;
    this.#directory = directory;
    this.#own = own;
    this.#last = last;
    this.#claimed = claimed;
  }

  /** Whoever calls this holds the lock of `directory`: nobody else writes there. */
  static async open(home: string, directory: string): Promise<Owners> {
    const last = join(directory, LAST_FILE);
    const claim = join(directory, CLAIM_FILE);
    for (const path of [last, claim]) await sweepDrafts(path);
    return new Owners(
      home,
      directory,
      await Term.open(directory),
      await idIn(last),
      await claimIn(claim),
    );
  }

  /**
   * A server that does not say which home it serves is of an older release, and serves ours. One that did serve it does so
   * until another one comes with the id that the home has now: somebody may have removed or replaced the file meanwhile,
   * and its agents are not strangers' for that.
   */
  async ownerOf(ownerId: OwnerId | undefined): Promise<Owner> {
    if (this.#claimed !== null) return this.#onlyClaimed(ownerId);
    if (ownerId === undefined) return null;
    if ((await idIn(join(this.#home, OWNER_FILE))) === ownerId) {
      await this.#remember(ownerId);
      return null;
    }
    return ownerId === this.#last ? null : ownerId;
  }

  /**
   * The same over the network: the first one that comes there owns the home from then on, and resolves when that is durable.
   * Two that come at once are told apart by the file: only one of them makes it.
   */
  async claimFor(ownerId: OwnerId | undefined): Promise<Owner> {
    if (this.#claimed !== null) return this.#onlyClaimed(ownerId);
    if (ownerId === undefined)
      throw new LinkError(
        "not_owner",
        "This server does not say whose it is. Use a server of this release.",
      );
    if ((await idIn(join(this.#home, OWNER_FILE))) !== null)
      throw new LinkError(
        "not_owner",
        `${this.#home} has a server of its own by now. Stop this agentctl, and start it with another --home.`,
      );
    const path = join(this.#directory, CLAIM_FILE);
    await createDurably(path, `${ownerId}\n`);
    this.#claimed = await claimIn(path);
    return this.#onlyClaimed(ownerId);
  }

  /** Whether this owner's orders may remove files: of what another one keeps here it knows nothing. */
  isHomes(owner: Owner): boolean {
    return owner === this.#claimed;
  }

  #onlyClaimed(ownerId: OwnerId | undefined): OwnerId {
    if (ownerId !== undefined && ownerId === this.#claimed) return ownerId;
    throw new LinkError(
      "not_owner",
      `This agentctl belongs to the server of another home (${this.#claimed}). Run a second one with a --home of its own. If that server is gone for good, stop this agentctl, remove ${join(this.#directory, CLAIM_FILE)}, and start it again.`,
    );
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
