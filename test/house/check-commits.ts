import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Violation } from "./check-imports.ts";
import { isTestCode } from "./rooms.ts";
import { tokenize } from "./tokens.ts";
import type { Tree } from "./tree.ts";

/** The one file that may: crash points stand on both sides of it. */
const transaction = "src/store/sqlite/base/transaction.ts";

const commits = /^\s*(commit|end)\b|;\s*(commit|end)\b/i;

/** Statements that commit. The linter knows calls, not what they say. */
export const checkCommits = async (
  root: string,
  tree: Tree,
): Promise<Violation[]> => {
  const violations: Violation[] = [];
  for (const file of tree.keys()) {
    if (!file.startsWith("src/store/") || file === transaction) continue;
    if (isTestCode(file)) continue;
    const source = await readFile(join(root, file), "utf8");
    for (const token of tokenize(source))
      if (token.kind === "string" && commits.test(token.text))
        violations.push({ file, what: `it commits by "${token.text}"` });
  }
  return violations;
};
