/** The linter's exceptions are a list of reviewed files: one that names nothing would let the next file of that name in. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import type { Violation } from "./check-imports.ts";

const configuration = ".oxlintrc.json";

export const checkExceptions = async (root: string): Promise<Violation[]> => {
  const text = await readFile(join(root, configuration), "utf8");
  const violations: Violation[] = [];
  for (const [, pattern = ""] of text.matchAll(/"(src\/[^"]*)"/g)) {
    let isThere = false;
    for await (const found of glob(pattern, { cwd: root }))
      isThere ||= found !== "";
    if (!isThere)
      violations.push({
        file: configuration,
        what: `${pattern} names no file`,
      });
  }
  return violations;
};
