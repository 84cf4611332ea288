import { readFile } from "node:fs/promises";
import { join } from "node:path/posix";
import * as z from "zod";
import type { Violation } from "./check-imports.ts";

const Package = z.object({
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ hasInstallScript: z.boolean().default(false) }),
  ),
});

/** Packages that would run a script when they are installed: npm asks about each that is not denied. */
export const checkInstallScripts = async (
  root: string,
): Promise<Violation[]> => {
  const file = "package.json";
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(root, name), "utf8"));
  const { allowScripts } = Package.parse(await read(file));
  const { packages } = Lock.parse(await read("package-lock.json"));
  return Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split("node_modules/").at(-1) ?? path)
    .filter((name) => allowScripts[name] !== false)
    .map((name) => ({ file, what: `the script of ${name} is not denied` }));
};
