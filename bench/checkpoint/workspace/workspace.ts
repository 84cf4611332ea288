/** The two workspaces that checkpoints are measured on: made from a seed, the same on every machine. */
import { join } from "node:path";
import { type BinarySizes, writeBinaries } from "./binaries.ts";
import { type History, writeRepository } from "./git-history.ts";
import { writeNpmTree } from "./npm-tree.ts";
import { writeOddities } from "./oddities.ts";

export interface Workspace {
  name: string;
  packageFiles: number;
  history: History;
  /** A repository inside the repository. */
  nested: History;
  binaries: BinarySizes;
  oddities: number;
}

const MB = 1_000_000;

/** About 60,000 files in 6,500 directories, 0.8 GB: what a large web project has in its folder. */
export const w1: Workspace = {
  name: "W1",
  packageFiles: 56_000,
  history: { files: 1500, commits: 400, loose: false },
  nested: { files: 300, commits: 60, loose: true },
  binaries: {
    pictures: 55,
    programs: [60 * MB, 40 * MB, 30 * MB, 10 * MB, 5 * MB, 5 * MB],
    rows: 140_000,
  },
  oddities: 200,
};

/** About 700 files, 9 MB: a small project. */
export const w2: Workspace = {
  name: "W2",
  packageFiles: 520,
  history: { files: 60, commits: 8, loose: false },
  nested: { files: 10, commits: 2, loose: true },
  binaries: { pictures: 1, programs: [MB / 4], rows: 1000 },
  oddities: 5,
};

export const build = async (
  root: string,
  workspace: Workspace,
): Promise<void> => {
  writeRepository(root, workspace.history);
  writeRepository(join(root, "vendor", "nested"), workspace.nested);
  writeBinaries(root, workspace.binaries);
  writeOddities(root, workspace.oddities);
  await writeNpmTree(root, workspace.packageFiles);
};
