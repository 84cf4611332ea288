import { readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import * as z from "zod";
import type { Violation } from "./check-imports.ts";

const Package = z.object({ scripts: z.record(z.string(), z.string()) });

/** Scripts of npm that run on whatever Node comes first in the PATH: with npm 10 that is the machine's. */
export const checkNpmScripts = async (root: string): Promise<Violation[]> => {
  const file = "package.json";
  const text = await readFile(join(root, file), "utf8");
  return Object.entries(Package.parse(JSON.parse(text)).scripts)
    .filter(([, command]) => /(^|[&|;(]\s*)node\s/.test(command))
    .map(([name]) => ({ file, what: `${name} must run on scripts/node` }));
};
