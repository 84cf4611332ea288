/** How others keep a workspace: each as the commands that one would type. */
import { join } from "node:path";
import type { Command } from "./command.ts";

/** The floor of looking: reads the names and the attributes of everything, and no content. */
export const look = (root: string): Command => ({
  program: "find",
  args: [root, "-printf", "%y %m %s %T@ %l %p\\0"],
});

/** The floor of restoring. */
export const copy = (root: string, into: string): Command => ({
  program: "cp",
  args: ["-a", root, into],
});

export type Compression = "gzip" | "zstd -3";

export const pack = (
  root: string,
  archive: string,
  compression: Compression,
): Command => ({
  program: "tar",
  args: ["-I", compression, "-cf", archive, "-C", root, "."],
});

export const unpack = (
  archive: string,
  into: string,
  compression: Compression,
): Command => ({
  program: "tar",
  args: ["-I", compression, "-xf", archive, "-C", into],
});

/** A repository of restic in a folder, with the cache it keeps beside it. */
export class Restic {
  readonly repository: string;
  readonly #cache: string;

  constructor(folder: string) {
    this.repository = join(folder, "restic");
    this.#cache = join(folder, "restic-cache");
  }

  init(): Command {
    return this.#command(["init"]);
  }

  backup(root: string): Command {
    return { ...this.#command(["backup", "--host", "bench", "."]), cwd: root };
  }

  restore(into: string): Command {
    return this.#command(["restore", "latest", "--target", into]);
  }

  #command(args: readonly string[]): Command {
    return {
      program: "restic",
      args: ["-q", "-r", this.repository, "--cache-dir", this.#cache, ...args],
      env: { RESTIC_PASSWORD: "bench" },
    };
  }
}

/** A repository beside the workspace that takes everything in it, as several agents do. It loses what git does not keep. */
export class ShadowGit {
  readonly #directory: string;

  constructor(folder: string) {
    this.#directory = join(folder, "shadow.git");
  }

  init(root: string): Command {
    return this.#command(root, ["init", "--quiet"]);
  }

  save(root: string): readonly Command[] {
    return [
      this.#command(root, ["add", "-A", "-f"]),
      this.#command(root, ["write-tree"]),
    ];
  }

  #command(root: string, args: readonly string[]): Command {
    const settings = ["core.compression=0", "advice.addEmbeddedRepo=false"];
    return {
      program: "git",
      args: [...settings.flatMap((setting) => ["-c", setting]), ...args],
      cwd: root,
      env: {
        GIT_DIR: this.#directory,
        GIT_WORK_TREE: root,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
      },
    };
  }
}
