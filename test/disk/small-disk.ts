/** A real file system of a few megabytes for tests: it can be filled, and it can turn read-only while it is in use. */
import { execFile } from "node:child_process";
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rm,
  statfs,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { hasErrno } from "../../src/kit/errno.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

const run = promisify(execFile);
const MEBIBYTE = 1024 * 1024;

/** A test on a disk of its own, made with these options of `mkfs.ext4`. */
export const diskTest = (
  name: string,
  work: (disk: SmallDisk) => Promise<void>,
  format: readonly string[] = [],
): void =>
  mountingTest(name, async () => {
    await using disk = await SmallDisk.make(64, format);
    await work(disk);
  });

/** Only the superuser of a Linux may mount a disk; elsewhere a test that does is skipped, loudly, and in CI that is a failure. */
export const mountingTest = (name: string, work: () => Promise<void>): void => {
  const canMount = process.platform === "linux" && process.getuid?.() === 0;
  if (!canMount) console.warn(`SKIPPED, needs root on Linux: ${name}`);
  void test(name, { skip: canMount ? false : "needs root on Linux" }, work);
};

export class SmallDisk implements AsyncDisposable {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** An ext4 in a file: of the file systems at hand the one that can be made to fail as on a broken disk. */
  static async make(
    mebibytes: number,
    format: readonly string[] = [],
  ): Promise<SmallDisk> {
    const disk = new SmallDisk(await mkdtemp(join(tmpdir(), "reprise-disk-")));
    const file = await open(disk.#image, "wx");
    await file.truncate(mebibytes * MEBIBYTE);
    await file.close();
    await run("mkfs.ext4", ["-q", "-m", "0", ...format, disk.#image]);
    await mkdir(disk.path);
    await disk.#mount();
    return disk;
  }

  get path(): string {
    return join(this.#directory, "disk");
  }

  /** What is not flushed is gone when the disk fails, as in a power failure. */
  async sync(): Promise<void> {
    await run("sync", ["-f", this.path]);
  }

  /** Takes all the space there is, but for so much. */
  async fill(leave = 0): Promise<void> {
    for (let size = MEBIBYTE; size >= 1024;) {
      if ((await this.#free()) >= leave + size && (await this.#take(size)))
        continue;
      size /= 2;
    }
    if (leave === 0) while (await this.#take(1024));
  }

  /** Gives back what `fill` took. */
  async free(): Promise<void> {
    await rm(this.#filler);
  }

  /** What a kernel does with a file system it found damaged: nothing can be written any more, whoever has it open. */
  async turnReadOnly(): Promise<void> {
    const device = basename(await deviceAt(this.path));
    await writeFile(`/sys/fs/ext4/${device}/trigger_fs_error`, "test");
  }

  /** Mounts it anew, as after a repair. Nobody may use it meanwhile. */
  async mend(): Promise<void> {
    await this.#unmount();
    await this.#mount();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#unmount();
    await rm(this.#directory, { recursive: true });
  }

  get #image(): string {
    return join(this.#directory, "image");
  }

  get #filler(): string {
    return join(this.path, "filler");
  }

  async #mount(): Promise<void> {
    const options = "loop,errors=remount-ro";
    await run("mount", ["-o", options, this.#image, this.path]);
  }

  /** Those who were killed a moment ago may still have files open. */
  async #unmount(): Promise<void> {
    for (const until = Date.now() + patience(10_000); ;)
      try {
        await run("umount", [this.path]);
        return;
      } catch (error) {
        if (Date.now() > until) throw error;
        await delay(50);
      }
  }

  async #free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  async #take(size: number): Promise<boolean> {
    try {
      await appendFile(this.#filler, Buffer.alloc(size, 0xff), { flush: true });
      return true;
    } catch (error) {
      if (hasErrno(error, "ENOSPC")) return false;
      throw error;
    }
  }
}

const deviceAt = async (mounted: string): Promise<string> => {
  const mounts = await readFile("/proc/self/mounts", "utf8");
  const line = mounts.split("\n").find((it) => it.split(" ")[1] === mounted);
  if (line === undefined) throw new Error(`${mounted} is not mounted`);
  return line.split(" ")[0] ?? "";
};
