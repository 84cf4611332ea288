/** Where a comparison takes place: a workspace on the disk, room for what is kept, and ground to restore to. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  lstatSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./command.ts";
import { build, type Workspace } from "./workspace/workspace.ts";

export interface Stand extends Disposable {
  name: string;
  /** The workspace. */
  root: string;
  /** In it nothing is left over from an earlier call. */
  freshFolder(): string;
  /** An empty directory to restore to. */
  freshGround(): string;
  /** Whether that is in memory, so that a restore is not a measurement of the disk. */
  inMemory: boolean;
}

const MEMORY = "/dev/shm";

export const setUp = async (workspace: Workspace): Promise<Stand> => {
  const folder = mkdtempSync(join(tmpdir(), "reprise-bench-"));
  const root = join(folder, workspace.name);
  await build(root, workspace);
  settle();
  const inMemory = hasRoom(MEMORY, 2 * sizeOf(root));
  const ground = mkdtempSync(
    join(inMemory ? MEMORY : folder, "reprise-bench-"),
  );
  let last = { folder: "", ground: "" };
  const fresh = (which: "folder" | "ground", parent: string): string => {
    if (last[which] !== "") rmSync(last[which], { recursive: true });
    last = { ...last, [which]: mkdtempSync(join(parent, "round-")) };
    return last[which];
  };
  return {
    name: workspace.name,
    root,
    freshFolder: () => fresh("folder", folder),
    freshGround: () => fresh("ground", ground),
    inMemory,
    [Symbol.dispose]: () => {
      rmSync(ground, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Nobody shall pay for what was written before. */
export const settle = (): void => {
  run({ program: "sync", args: [] });
};

/** The bytes of a file, or of all files in a folder. */
export const sizeOf = (path: string): number => {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.isFile() ? stats.size : 0;
  return readdirSync(path).reduce(
    (sum, name) => sum + sizeOf(join(path, name)),
    0,
  );
};

const hasRoom = (folder: string, bytes: number): boolean => {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > bytes;
};
