import { dirname } from "node:path/posix";
import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import type { Tree } from "./tree.ts";

/** A folder with more files than this is a pile: its sub-folders should show its subject. */
const maxFiles = 25;

export const checkFolders = (tree: Tree): Violation[] => {
  const sizes = new Map<string, number>();
  for (const path of tree.keys())
    if (!isTestCode(path))
      sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > maxFiles)
    .map(([file, size]) => ({ file, what: `it has ${size} files: divide it` }));
};
