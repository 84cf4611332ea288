/** The file systems that workspaces are on. Those that are harder to capture have to be mounted, which takes a superuser. */
import { execFile } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { isInside } from "../../../src/kit/files/is-inside.ts";
import { MOUNTINFO, parseMountinfo } from "../../../src/kit/files/mountinfo.ts";

const run = promisify(execFile);
const DISK_BYTES = 256 * 1024 * 1024;
const UNMOUNT_MS = 10_000;

/** Each makes its file system at a path. */
const KINDS = {
  disk: async () => undefined,
  /** Times of whole seconds. */
  "coarse times": async (path: string) => {
    const image = `${path}.image`;
    const file = await open(image, "wx");
    await file.truncate(DISK_BYTES);
    await file.close();
    await run("mkfs.ext4", ["-q", "-I", "128", image]);
    await run("mount", ["-o", "loop", image, path]);
  },
  /** Nothing is ever flushed. */
  memory: (path: string) => run("mount", ["-t", "tmpfs", "memory", path]),
  /** Leases do not tell of mappings. */
  stacked: async (path: string) => {
    const layers = ["lower", "upper", "work"].map((it) => `${path}.${it}`);
    for (const layer of layers) await mkdir(layer);
    const [lower, upper, work] = layers;
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    await run("mount", ["-t", "overlay", "-o", options, "overlay", path]);
  },
} as const satisfies Record<string, (path: string) => Promise<unknown>>;

export type Kind = keyof typeof KINDS;

export const canMount = (): boolean =>
  process.platform === "linux" && process.getuid?.() === 0;

export class FileSystems {
  readonly #directory: string;
  /** How many workspaces were made on each. */
  readonly used = new Map<Kind, number>();

  private constructor(directory: string, kinds: readonly Kind[]) {
    this.#directory = directory;
    for (const kind of kinds) this.used.set(kind, 0);
  }

  static async make(directory: string): Promise<FileSystems> {
    const all = Object.keys(KINDS) as Kind[];
    const kinds = canMount() ? all : (["disk"] as const);
    const fileSystems = new FileSystems(join(directory, "work"), kinds);
    for (const kind of kinds) {
      const path = fileSystems.#pathOf(kind);
      await mkdir(path, { recursive: true });
      await KINDS[kind](path);
    }
    return fileSystems;
  }

  /** What this run does without, in words. */
  get leftOut(): string | null {
    return canMount()
      ? null
      : "workspaces on other file systems and mounts in workspaces: they need root on Linux";
  }

  /** A directory for the n-th session, on each of the file systems in turn. */
  async workspace(n: number, name: string): Promise<string> {
    const kinds = [...this.used.keys()];
    const kind = kinds[n % kinds.length] ?? "disk";
    this.used.set(kind, (this.used.get(kind) ?? 0) + 1);
    const path = join(this.#pathOf(kind), name);
    await mkdir(path, { recursive: true });
    return path;
  }

  /** Where a directory can be moved to without leaving its file system. */
  async lostAndFound(cwd: string, otherwise: string): Promise<string> {
    const kind = [...this.used.keys()].find((each) =>
      isInside(cwd, this.#pathOf(each)),
    );
    const path =
      kind === undefined ? otherwise : join(this.#pathOf(kind), "lost");
    await mkdir(path, { recursive: true });
    return path;
  }

  #pathOf(kind: Kind): string {
    return join(this.#directory, kind.replace(" ", "-"));
  }
}

/** Unmounts everything beneath a directory, what was mounted last first. Processes that were killed may still be there for a moment. */
export const unmountAll = async (directory: string): Promise<void> => {
  if (!canMount()) return;
  for (const until = Date.now() + UNMOUNT_MS; ;) {
    const mounts = parseMountinfo(await readFile(MOUNTINFO, "utf8"))
      .map(({ path }) => path)
      .filter((path) => isInside(path, directory));
    const last = mounts.at(-1);
    if (last === undefined) return;
    try {
      await run("umount", [last]);
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(50);
    }
  }
};
