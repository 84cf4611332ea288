import { createHash } from "node:crypto";
import { glob, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { buildBundle, readBundle, writeBundle, type Bundle } from "./bundle.ts";

const root = join(import.meta.dirname, "../../..");
/** Of its own: it is emptied when the sources change, and what else is cached for us is not. */
const cache = join(root, "node_modules/.cache/reprise/agentctl");

/** The bundle of a clone's sources, made only when one of them has changed. */
export const builtBundle = async (): Promise<Bundle> => {
  const place = join(cache, await fingerprint());
  const known = await readBundle(place);
  if (known !== null) return known;
  const bundle = await buildBundle();
  // A cache is a favour: where it cannot be written, the next one builds again.
  await remember(bundle, place).catch(() => {});
  return bundle;
};

/** Of everything that could matter, by size and time of change; packages are as the lock file says. */
const fingerprint = async (): Promise<string> => {
  const paths: string[] = [];
  for await (const path of glob("src/**/*.ts", { cwd: root }))
    if (!path.endsWith(".test.ts")) paths.push(path);
  paths.push("package-lock.json");
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) {
    const { size, mtimeMs } = await stat(join(root, path));
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
