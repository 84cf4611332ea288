/**
 * A copy of the sources to run from: whoever edits the checkout meanwhile changes nothing in it, and it may be
 * sabotaged.
 */
import {
  cp,
  mkdir,
  readFile,
  readdir,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";

/** A small change of the text of one file. */
export interface Patch {
  file: string;
  /** Must be there exactly once: a sabotage that no longer fits the code proves nothing. */
  find: string;
  replace: string;
}

export const copyTree = async (
  root: string,
  target: string,
  patches: readonly Patch[] = [],
): Promise<void> => {
  await mkdir(target, { recursive: true });
  for (const name of ["src", "bin", "package.json", "package-lock.json"])
    await cp(join(root, name), join(target, name), { recursive: true });
  await linkPackages(join(root, "node_modules"), join(target, "node_modules"));
  for (const patch of patches) await apply(target, patch);
};

/** One link for each, so that what is cached among them is not shared with the checkout. */
const linkPackages = async (from: string, to: string): Promise<void> => {
  await mkdir(to);
  for (const name of await readdir(from))
    if (name !== ".cache") await symlink(join(from, name), join(to, name));
};

const apply = async (target: string, patch: Patch): Promise<void> => {
  const path = join(target, patch.file);
  await writeFile(path, patched(await readFile(path, "utf8"), patch));
};

/** Throws when the text is not what the patch was made for. */
export const patched = (
  text: string,
  { file, find, replace }: Patch,
): string => {
  const found = text.split(find).length - 1;
  if (found !== 1)
    throw new Error(
      `${file} holds ${found} times what is to be sabotaged: ${find}`,
    );
  return text.replace(find, () => replace);
};
