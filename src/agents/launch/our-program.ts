import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Where } from "./launch.ts";

/** A program of ours: bundled where the product is installed, its source in a clone. */
export const ourProgram = (
  where: Pick<Where, "programs">,
  bundle: string,
  source: string,
): string | null =>
  [
    join(where.programs, `${bundle}.js`),
    fileURLToPath(new URL(source, import.meta.url)),
  ].find((file) => existsSync(file)) ?? null;
