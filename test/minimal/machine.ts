/**
 * A minimal machine that runs: its own root, processes and mounts, the network of this one. It is what `unshare` and
 * `chroot` make; when its first process ends, the kernel ends all others and takes its mounts away.
 */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Surroundings } from "../readme/terminal.ts";
import { NpmSettings } from "./npm-settings.ts";

const run = promisify(execFile);

/** Of its first process. It tells its process id as this machine sees it, then waits for those whose parents have gone. */
const boot = `set -e
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --bind "$2" "$1$2"
read -r pid rest </proc/self/stat
echo "$pid"
exec chroot "$1" /bin/sh -c 'while :; do sleep 1000 & wait; done'`;

export class MinimalMachine {
  readonly root: string;
  readonly #init: ChildProcess;
  readonly #pid: string;
  readonly #npm: NpmSettings;

  private constructor(
    root: string,
    init: ChildProcess,
    pid: string,
    npm: NpmSettings,
  ) {
    this.root = root;
    this.#init = init;
    this.#pid = pid;
    this.#npm = npm;
  }

  /** @param base the root to begin with; `root` becomes a copy of it. */
  static async start(base: string, root: string): Promise<MinimalMachine> {
    await run("cp", ["--archive", "--reflink=auto", base, root]);
    for (const file of ["/etc/resolv.conf", "/etc/hosts"])
      await cp(file, join(root, file), { dereference: true });
    const npm = await NpmSettings.ofThisMachine();
    await npm.copyInto(root);
    await mkdir(join(root, npm.cache), { recursive: true });
    const init = spawn(
      "unshare",
      [
        "--mount",
        "--propagation=private",
        "--pid",
        "--fork",
        "--kill-child",
        "sh",
        "-c",
        boot,
        "sh",
        root,
        npm.cache,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [pid] = await Promise.race([
      once(createInterface(init.stdout), "line"),
      once(init, "exit").then(() => {
        throw new Error("the machine did not start");
      }),
    ]);
    return new MinimalMachine(root, init, String(pid), npm);
  }

  /** A terminal on it, in one of its directories. */
  terminal(cwd: string): Surroundings {
    return {
      cwd: "/",
      env: {
        HOME: "/root",
        PATH: "/usr/local/bin:/usr/bin:/bin",
        ...this.#npm.env,
      },
      enter: [
        "nsenter",
        `--target=${this.#pid}`,
        "--mount",
        "--pid",
        "--root",
        "env",
        `--chdir=${cwd}`,
      ],
    };
  }

  async stop(): Promise<void> {
    const ended = once(this.#init, "exit");
    this.#init.kill("SIGKILL");
    await ended;
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}
