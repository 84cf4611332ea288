import { glob } from "node:fs/promises";
import { join, resolve, sep } from "node:path";

/** Where tests may live. A test file anywhere else is an error (`test/boundaries.test.ts`), not a test that never runs. */
export const testFolders = ["test", "src", "web", "scripts", "bench"] as const;

/** All test files, those that cross rooms first: they take longest. */
export const findTests = async (root: string): Promise<string[]> => {
  const found: string[] = [];
  for (const folder of testFolders) {
    const files: string[] = [];
    for await (const file of glob("**/*.test.ts", { cwd: join(root, folder) }))
      files.push(join(root, folder, file));
    found.push(...files.sort());
  }
  return found;
};

/** The files at or under one of these paths (relative to the working directory); all of them when none is given. */
export const under = (
  paths: readonly string[],
  files: readonly string[],
): string[] => {
  const wanted = paths.map((path) => resolve(path));
  return files.filter(
    (file) =>
      wanted.length === 0 ||
      wanted.some((path) => file === path || file.startsWith(path + sep)),
  );
};
