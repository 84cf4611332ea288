/**
 * The page that a server shows.
 *
 *   an installed package   dist/page, built when the package was made
 *   a clone                built once for its sources, kept in node_modules/.cache/reprise/page/<fingerprint>
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../runtime/ports/home.ts";
import { type BuiltPage, openBuiltPage } from "../../server/page/built-page.ts";
import type { PageOrReason } from "../../server/page/page-routes.ts";
import { buildPage, viteOf } from "./build-page.ts";
import { pageFingerprint } from "./fingerprint.ts";

const shipped = join(import.meta.dirname, "../../page");
const ownClone = join(import.meta.dirname, "../../..");
/** A server that runs still serves the files of its own build. */
const KEPT_BUILDS = 4;

interface Asked {
  log: Log;
  tell?: ((words: string) => void) | undefined;
  signal: AbortSignal;
}

/** Never rejects: a server without a page is one too. */
export const findPage = async (asked: Asked): Promise<PageOrReason> => {
  try {
    return (
      (await openBuiltPage(shipped)) ?? (await pageOfClone(ownClone, asked))
    );
  } catch (error) {
    if (asked.signal.aborted) return { missing: "The server is stopping." };
    asked.log.error({ err: error }, "the page could not be built");
    return {
      missing:
        "The page could not be built from the sources; the server's log says why. Everything else works.",
    };
  }
};

/** The page of a clone's sources, built unless it was built before. */
export const pageOfClone = async (
  clone: string,
  { tell, signal }: Asked,
): Promise<PageOrReason> => {
  if (!existsSync(join(clone, "web/vite.config.ts")))
    return { missing: "The page is not part of this installation." };
  const cache = join(clone, "node_modules/.cache/reprise/page");
  const place = join(cache, pageFingerprint(clone));
  const known = await openBuiltPage(place);
  if (known !== null) return known;
  if (!existsSync(viteOf(clone)))
    return {
      missing: `The page is not built, and what builds it is not installed. Run "npm install" in ${clone}, without --omit=dev, and start again.`,
    };
  tell?.("Building the page, once for these sources…");
  await mkdir(cache, { recursive: true });
  await forgetOld(cache);
  return built(clone, cache, place, signal);
};

const built = async (
  clone: string,
  cache: string,
  place: string,
  signal: AbortSignal,
): Promise<BuiltPage> => {
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    await buildPage(clone, draft, signal);
    // Another server may have built the same one meanwhile.
    await rename(draft, place).catch(() => {});
    const page = await openBuiltPage(place);
    if (page === null) throw new Error(`there is no page in ${place}`);
    return page;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const forgetOld = async (cache: string): Promise<void> => {
  const builds = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const path = join(cache, name);
      return { path, at: (await stat(path)).mtimeMs };
    }),
  );
  const old = builds
    .toSorted((a, b) => b.at - a.at)
    .slice(KEPT_BUILDS - 1)
    .map(({ path }) => path);
  await Promise.all(
    old.map((path) => rm(path, { recursive: true, force: true })),
  );
};
