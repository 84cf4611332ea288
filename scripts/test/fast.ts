/** `npm run test:fast`: what is run after every change. */
import { relative, sep } from "node:path";
import type { Times } from "./times.ts";

/** One walk through the whole product: a server, a session, a kill, a resume. */
const SMOKE = ["test", "smoke"].join(sep) + sep;
/** Slower ones are left to `npm test`. */
const QUICK_SECONDS = 2;

/** All files that are quick, wherever they stand, by what they took the last time they were recorded. New ones are. */
export const quickOnes = (
  root: string,
  files: readonly string[],
  times: Times,
): string[] =>
  files.filter((file) => {
    const path = relative(root, file);
    return path.startsWith(SMOKE) || times.of(path) <= QUICK_SECONDS;
  });
