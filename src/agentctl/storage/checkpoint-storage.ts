import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { openVault } from "../../checkpoint/open-vault.ts";
import type { Vault } from "../../checkpoint/vault.ts";
import { remove } from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import type { Log } from "../base/log.ts";
import { DirectoryLocks } from "./directory-locks.ts";

/** Where the checkpoints of this home are, opened when they are first needed; and what keeps those who touch workspaces apart. */
export class CheckpointStorage {
  readonly home: string;
  readonly locks = new DirectoryLocks();
  readonly #log: Log;
  readonly #closing = new AbortController();
  #vault: Promise<Vault> | null = null;
  #scratch: Promise<string> | null = null;

  constructor(home: string, log: Log) {
    this.home = home;
    this.#log = log;
  }

  /** Work that takes long ends when we do. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  vault(): Promise<Vault> {
    this.#closing.signal.throwIfAborted();
    this.#vault ??= this.#open();
    return this.#vault;
  }

  /** Removes what one that died left behind. */
  async sweep(): Promise<void> {
    if (existsSync(this.#scratchRoot)) await remove(this.#scratchRoot);
  }

  /** An empty directory, which is nothing after a restart. */
  async makeScratch(): Promise<string> {
    this.#scratch ??= this.#emptyScratch();
    return mkdtemp(join(await this.#scratch, "s-"));
  }

  /** Gives the work an empty directory, and removes it afterwards. */
  async withScratch<T>(work: (directory: string) => Promise<T>): Promise<T> {
    const directory = await this.makeScratch();
    try {
      return await work(directory);
    } finally {
      await remove(directory);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("agentctl is closing"));
    const vault = await this.#vault?.catch(() => null);
    await vault?.close();
  }

  async #open(): Promise<Vault> {
    try {
      return await openVault({
        folder: join(this.home, "blobs"),
        cache: join(this.home, "agentctl", "cache"),
        log: (warning) => this.#log("the vault", { warning }),
      });
    } catch (error) {
      // A disk that was full may have room the next time.
      this.#vault = null;
      throw error;
    }
  }

  get #scratchRoot(): string {
    return join(this.home, "agentctl", "scratch");
  }

  /** We are the only one here: what is there was left by one that died. */
  async #emptyScratch(): Promise<string> {
    const directory = this.#scratchRoot;
    try {
      await remove(directory);
      await makeDirectory(directory);
      return directory;
    } catch (error) {
      this.#scratch = null;
      throw error;
    }
  }
}
