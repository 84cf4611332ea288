import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildBundle, readBundle, writeBundle, type Bundle } from "./bundle.ts";

const root = join(import.meta.dirname, "../../..");
/** Of its own: it is emptied when the sources change, and what else is cached for us is not. */
const cache = join(root, "node_modules/.cache/reprise/agentctl");

/** The bundle of a clone's sources, made only when one of them has changed. */
export const builtBundle = async (): Promise<Bundle> => {
  const place = join(cache, fingerprintOf(root));
  const known = await readBundle(place);
  if (known !== null) return known;
  const bundle = await buildBundle();
  // A cache is a favour: where it cannot be written, the next one builds again.
  await remember(bundle, place).catch(() => {});
  return bundle;
};

/**
 * Names the sources of a clone, and more of its files where they matter, by size and time of change; packages are as the
 * lock file says. Synchronous: a few milliseconds for a clone's sources, where a trip through the thread pool for each
 * would take a fifth of a second.
 */
export const fingerprintOf = (
  clone: string,
  more: readonly string[] = [],
): string => {
  const sources = readdirSync(join(clone, "src"), {
    recursive: true,
    encoding: "utf8",
  });
  const paths = sources
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .map((path) => join("src", path));
  const hash = createHash("sha256");
  for (const path of [...paths, ...more, "package-lock.json"].toSorted()) {
    const { size, mtimeMs } = statSync(join(clone, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
};

/** The newest replaces the others. */
const remember = async (bundle: Bundle, place: string): Promise<void> => {
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  await writeBundle(bundle, draft);
  await rename(draft, place);
};
