import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasErrno } from "../../../kit/errno.ts";

/** So many are made at a time, and more when fewer than an agent needs lie ready. */
const AT_ONCE = 16;
const TOO_FEW = 2;

/**
 * Node cannot make a FIFO, and the program that can takes longer to start than everything else before an agent's own
 * start: a few lie ready and are given their place by renaming. Whoever calls this holds the lock of the home.
 */
export class Fifos {
  readonly #directory: string;
  readonly #ready: string[];
  #making: Promise<void> | null = null;

  private constructor(directory: string, ready: string[]) {
    this.#directory = directory;
    this.#ready = ready;
  }

  static async open(directory: string): Promise<Fifos> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const names = await readdir(directory);
    const fifos = new Fifos(
      directory,
      names.map((name) => join(directory, name)),
    );
    fifos.#refill();
    return fifos;
  }

  /** A FIFO at each of these paths, ours alone. */
  async make(paths: readonly string[]): Promise<void> {
    const missing: string[] = [];
    for (const path of paths)
      if (!(await this.#daemon(path))) missing.push(path);
    if (missing.length > 0) await mkfifo(missing);
    this.#refill();
  }

  async #daemon(path: string): Promise<boolean> {
    const ready = this.#ready.pop();
    if (ready === undefined) return false;
    try {
      await rename(ready, path);
      return true;
    } catch (error) {
      if (hasErrno(error, "ENOENT")) return false;
      throw error;
    }
  }

  /** Behind the back of whoever needs one: when it fails, the next in need makes its own and learns why that fails. */
  #refill(): void {
    if (this.#making !== null || this.#ready.length >= TOO_FEW) return;
    const paths = Array.from({ length: AT_ONCE }, () =>
      join(this.#directory, randomBytes(6).toString("hex")),
    );
    this.#making = mkfifo(paths)
      .then(
        () => void this.#ready.push(...paths),
        () => undefined,
      )
      .finally(() => {
        this.#making = null;
      });
  }
}

const run = promisify(execFile);

const mkfifo = async (paths: readonly string[]): Promise<void> => {
  await run("mkfifo", ["-m", "600", ...paths]);
};
