import { join } from "node:path";
import type { SessionId } from "../../contract/base/id.ts";
import {
  readIfThere,
  remove,
  sweepFiles,
  writeDurably,
} from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import type { Owner } from "./owners.ts";

/** A session of an owner: a session that was taken from one home to another is two. */
export interface Owned {
  owner: Owner;
  session: SessionId;
}

/**
 * The highest epoch of each session whose execution was forgotten here: one file for each. While an execution is known, its
 * journal tells its epoch.
 */
export class Fences {
  readonly #directory: string;
  #writing: Promise<void> = Promise.resolve();

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Whoever calls this holds the lock: nobody else writes here. */
  static async open(directory: string): Promise<Fences> {
    await makeDirectory(directory);
    await sweepFiles(directory, (name) => DRAFT.test(name));
    return new Fences(directory);
  }

  /** 0 where there is none. One that a failing disk has spoilt locks nobody out. */
  async epochOf(of: Owned): Promise<number> {
    const text = await readIfThere(this.#path(of));
    const epoch = Number.parseInt(text ?? "", 10);
    return Number.isSafeInteger(epoch) && epoch > 0 ? epoch : 0;
  }

  /** Resolves when it is durable. */
  raise(of: Owned, epoch: number): Promise<void> {
    return this.#alone(async () => {
      if ((await this.epochOf(of)) < epoch)
        await writeDurably(this.#path(of), `${epoch}\n`);
    });
  }

  /** The session is gone for good. */
  drop(of: Owned): Promise<void> {
    return this.#alone(() => remove(this.#path(of)));
  }

  /** One after the other: of two at once the lower one must not be the last to reach the disk. */
  async #alone(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(work);
    await this.#writing;
  }

  #path({ owner, session }: Owned): string {
    const name = owner === null ? session : `${session}.${owner}`;
    return join(this.#directory, name);
  }
}

const DRAFT = /\.[0-9a-f]{12}$/;
