/** Which package stands where in `node_modules`, and writing them down. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { once } from "node:events";
import { Chance } from "./chance.ts";
import { fileCount, packageFiles } from "./package.ts";

export interface Placement {
  number: number;
  /** Below the workspace. */
  path: string;
}

/** About so many files. Every third package is another's own copy of one that is there already. */
export const placements = (files: number): Placement[] => {
  const chance = new Chance("placements");
  const placed: Placement[] = [];
  let number = 0;
  for (let written = 0; written < files;) {
    const host = placed[chance.below(placed.length + 1)];
    const copied = host !== undefined && chance.percent(36);
    if (!copied) number += 1;
    const which = copied ? chance.below(number) + 1 : number;
    // Nobody depends on itself, and no package is most of a tree.
    if (copied && which === host.number) continue;
    if (fileCount(which) > files / 5) continue;
    const parent = copied ? host.path : "";
    placed.push({
      number: which,
      path: join(parent, "node_modules", `package-${which}`),
    });
    written += fileCount(which);
  }
  return placed;
};

/** Two hands: a program that writes small files is busy with itself half of the time. */
export const writeNpmTree = async (
  root: string,
  files: number,
): Promise<void> => {
  const hands = [0, 1].map((hand) => {
    const workerData = { root, files, hand };
    return new Worker(new URL("write-packages.ts", import.meta.url), {
      workerData,
    });
  });
  await Promise.all(hands.map((worker) => once(worker, "exit")));
};

export const writePackage = (
  root: string,
  { number, path }: Placement,
): void => {
  const made = new Set<string>();
  for (const file of packageFiles(number)) {
    const target = join(root, path, file.path);
    const folder = dirname(target);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    writeFileSync(target, file.text, "latin1");
  }
};
