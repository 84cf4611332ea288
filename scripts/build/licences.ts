import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { PACKAGES_FILE } from "../../web/build/list-packages.ts";

/** The licences of the packages that a build carries, in one file. */
export const writeLicences = (
  root: string,
  dist: string,
  packages: readonly string[],
): void => {
  const licences = [...new Set(packages)]
    .toSorted()
    .map((name) => `${name}\n\n${licenceOf(join(root, "node_modules", name))}`);
  writeFileSync(join(dist, "LICENSES.txt"), licences.join("\n---\n\n"));
};

/** What the page is made of. The list itself is not shipped. */
export const takePackagesOfPage = (dist: string): string[] => {
  const path = join(dist, "page", PACKAGES_FILE);
  const names = readFileSync(path, "utf8").trim().split("\n");
  rmSync(path);
  return names;
};

/** Few packages have no file with it: their description names the licence. */
const licenceOf = (directory: string): string => {
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(directory, file), "utf8");
  const { license, author } = Described.parse(
    JSON.parse(readFileSync(join(directory, "package.json"), "utf8")),
  );
  const by = typeof author === "string" ? author : author?.name;
  return `${license}${by === undefined ? "" : `, copyright ${by}`}\n`;
};

const Described = z.object({
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});
