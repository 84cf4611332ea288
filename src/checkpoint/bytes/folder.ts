import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { crashPoint } from "../../kit/crash-point.ts";
import { hasErrno } from "../../kit/errno.ts";
import { failureOf, VaultFailure } from "../format/failure.ts";
import { isPackName, type Bytes, type Draft, type Stored } from "./bytes.ts";

/** A flush of much at once holds up every other flush on the disk: this much goes at a time. */
const FLUSH_STEP = 4 * 1024 * 1024;
const DRAFT = ".draft";
/** Packs that are kept open for reading. */
const MAX_OPEN = 64;

/** Packs as files of a folder that only its owner may look into. Runs in a worker thread, so it waits where it stands. */
export class FolderBytes implements Bytes {
  readonly #path: string;
  readonly #open = new Map<string, number>();

  constructor(path: string) {
    this.#path = path;
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      if (!hasErrno(error, "EEXIST")) throw error;
    }
  }

  async list(): Promise<Stored[]> {
    return readdirSync(this.#path)
      .filter(isPackName)
      .flatMap((name) => {
        const size = this.#sizeOf(name);
        return size === null ? [] : [{ name, size }];
      });
  }

  async read(
    name: string,
    offset: number,
    length: number,
  ): Promise<Uint8Array> {
    const file = this.#fileOf(name);
    const bytes = Buffer.allocUnsafe(length);
    for (let have = 0; have < length;) {
      const got = readPart(name, file, bytes, have, offset);
      if (got === 0)
        throw new VaultFailure("damaged", `${name} ends before its time`);
      have += got;
    }
    return bytes;
  }

  async draft(name: string): Promise<Draft> {
    return new FolderDraft(this.#path, name);
  }

  async remove(name: string): Promise<void> {
    this.#forget(name);
    rmSync(join(this.#path, name), { force: true });
    crashPoint("checkpoint.pack.removed");
  }

  async close(): Promise<void> {
    for (const name of this.#open.keys()) this.#forget(name);
  }

  /** What a crash left unfinished. Only when nobody is writing. */
  sweep(): void {
    for (const name of readdirSync(this.#path))
      if (name.endsWith(DRAFT)) rmSync(join(this.#path, name), { force: true });
  }

  #sizeOf(name: string): number | null {
    return (
      statSync(join(this.#path, name), { throwIfNoEntry: false })?.size ?? null
    );
  }

  #fileOf(name: string): number {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    for (const [oldest] of this.#open) {
      if (this.#open.size < MAX_OPEN) break;
      this.#forget(oldest);
    }
    try {
      const file = openSync(join(this.#path, name), "r");
      this.#open.set(name, file);
      return file;
    } catch (error) {
      throw failureOf(error);
    }
  }

  #forget(name: string): void {
    const file = this.#open.get(name);
    if (file === undefined) return;
    this.#open.delete(name);
    closeSync(file);
  }
}

class FolderDraft implements Draft {
  readonly #folder: string;
  readonly #name: string;
  readonly #path: string;
  readonly #file: number;
  #unflushed = 0;
  /** A flush takes its time, and nobody has to stand by. */
  #flushing: Promise<void> = Promise.resolve();

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    const mark = randomBytes(4).toString("hex");
    this.#path = join(folder, `${name}.${mark}${DRAFT}`);
    this.#file = openSync(this.#path, "wx", 0o600);
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#file, bytes, done, bytes.length - done);
    crashPoint("checkpoint.pack.appended");
    this.#unflushed += bytes.length;
    if (this.#unflushed >= FLUSH_STEP) await this.#flushMore();
  }

  async seal(): Promise<void> {
    await this.#flushing;
    fdatasyncSync(this.#file);
    crashPoint("checkpoint.pack.flushed");
    closeSync(this.#file);
    renameSync(this.#path, join(this.#folder, this.#name));
    crashPoint("checkpoint.pack.placed");
    syncFolder(this.#folder);
    crashPoint("checkpoint.pack.settled");
  }

  async discard(): Promise<void> {
    await this.#flushing.catch(() => {});
    try {
      closeSync(this.#file);
    } catch (error) {
      if (!hasErrno(error, "EBADF")) throw error;
    }
    rmSync(this.#path, { force: true });
  }

  /** One step is flushed while the next one is written. */
  async #flushMore(): Promise<void> {
    await this.#flushing;
    this.#unflushed = 0;
    this.#flushing = flush(this.#file);
    // Whoever waits for it is told of a failure; nobody else has to.
    this.#flushing.catch(() => {});
  }
}

/** What the disk does not give back is lost, whatever the reason; anything else is not about these bytes. */
const readPart = (
  name: string,
  file: number,
  into: Buffer,
  have: number,
  offset: number,
): number => {
  try {
    return readSync(file, into, have, into.length - have, offset + have);
  } catch (error) {
    if (!hasErrno(error, "EIO", "EUCLEAN", "EBADMSG", "EISDIR")) throw error;
    throw new VaultFailure("damaged", `${name} cannot be read`, {
      cause: error,
    });
  }
};

const flush = async (file: number): Promise<void> => {
  await promisify(fdatasync)(file);
  crashPoint("checkpoint.pack.flushed");
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
