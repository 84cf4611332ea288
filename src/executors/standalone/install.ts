import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ADDON, installedAddon } from "../../kit/c-library.ts";
import {
  placeDurably,
  sweepDirectories,
  sweepFiles,
  syncDirectory,
} from "../../kit/files/durable-file.ts";
import { hasErrno } from "../../kit/errno.ts";
import { installedRipgrep, RIPGREP } from "../../kit/ripgrep.ts";
import { builtBundle } from "./built-bundle.ts";
import { shippedBundle, writeBundle, type Bundle } from "./bundle.ts";
import { shareFile } from "./share-file.ts";

/** agentctl where it runs from: a copy in the home, so that replacing the checkout or the package hurts nobody. */
export interface Installation {
  node: string;
  agentctl: string;
  /** By which this build is known: its version and what it is made of. */
  build: string;
}

/** `directory` is the home's `agentctl`. What is there already is used as it is: its name says what it is made of. */
export const install = async (
  directory: string,
  version: string,
): Promise<Installation> => {
  const bundle = withAddon(
    (await shippedBundle()) ?? (await builtBundle()),
    await readAddon(),
  );
  const ripgrep = installedRipgrep();
  const build = `${version}-${await fingerprint(bundle, ripgrep)}`;
  const target = join(directory, build);
  if (!(await exists(target)))
    await put({ bundle, ripgrep }, directory, target);
  return {
    node: join(target, "node"),
    agentctl: join(target, "agentctl.js"),
    build,
  };
};

/** Removes what a server left that was killed while it installed. Only for the one that holds the home. */
export const sweepInstallations = async (directory: string): Promise<void> => {
  await sweepDirectories(directory, (name) => BUILD_DRAFT.test(name));
  await sweepFiles(directory, (name) => NODE_DRAFT.test(name));
};

/** `0.1.0-1f2e3d4c.Ab12Cd`, as `mkdtemp` names it. */
const BUILD_DRAFT = /^\d+\.\d+\.\d+[\w.+-]*-[0-9a-f]{8}\.[A-Za-z0-9]{6}$/;
const NODE_DRAFT = /^node-v\d+\.\d+\.\d+[\w-]*\.[0-9a-f]{12}$/;

/** The native module that lets agentctl call the C library; null when npm was told to leave out what is optional. */
const readAddon = async (): Promise<Uint8Array | null> => {
  const path = installedAddon();
  return path === null ? null : readFile(path);
};

const withAddon = ({ files }: Bundle, addon: Uint8Array | null): Bundle => ({
  files: addon === null ? files : new Map([...files, [ADDON, addon]]),
});

/** ripgrep counts by its size: reading all of it would take longer than everything else. */
const fingerprint = async (
  bundle: Bundle,
  ripgrep: string | null,
): Promise<string> => {
  const hash = createHash("sha256").update(process.version);
  for (const [name, content] of bundle.files) hash.update(name).update(content);
  if (ripgrep !== null) hash.update(`${RIPGREP} ${(await stat(ripgrep)).size}`);
  return hash.digest("hex").slice(0, 8);
};

/** Complete or not there at all, also when two do it at once. */
const put = async (
  { bundle, ripgrep }: { bundle: Bundle; ripgrep: string | null },
  directory: string,
  target: string,
): Promise<void> => {
  const draft = await mkdtemp(`${target}.`);
  try {
    await writeBundle(bundle, draft);
    await writeFile(join(draft, "package.json"), '{ "type": "module" }\n', {
      flush: true,
    });
    await shareFile(await keptNode(directory), join(draft, "node"));
    if (ripgrep !== null) await shareFile(ripgrep, join(draft, RIPGREP));
    await syncDirectory(draft);
    await placeDurably(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
};

/** The Node we run on, a hundred megabytes: one per version in a home, shared by its installations. */
const keptNode = async (directory: string): Promise<string> => {
  const kept = join(directory, `node-${process.version}`);
  if (await exists(kept)) return kept;
  const draft = `${kept}.${randomBytes(6).toString("hex")}`;
  await shareFile(process.execPath, draft);
  await placeDurably(draft, kept);
  // Renaming one link of a file to another link of it does nothing: then the draft is still there.
  await rm(draft, { force: true });
  return kept;
};

const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return false;
    throw error;
  }
};
