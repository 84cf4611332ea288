import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the page is made of: its own sources, and the rooms that it sees. */
const SOURCES = [
  "web",
  "src/client",
  "src/contract",
  "src/session",
  "src/kit",
] as const;

/** Names the sources of the page by size and time of change; packages are as the lock file says. */
export const pageFingerprint = (clone: string): string => {
  const hash = createHash("sha256");
  const paths = SOURCES.flatMap((folder) =>
    readdirSync(join(clone, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:tsx?|css|html|svg|json)$/.test(path))
      .filter((path) => !path.endsWith(".test.ts"))
      .map((path) => join(folder, path)),
  );
  for (const path of [...paths, "package-lock.json"].toSorted()) {
    const { size, mtimeMs } = statSync(join(clone, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
};
