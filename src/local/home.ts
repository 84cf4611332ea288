import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Surroundings } from "./surroundings.ts";

/** Where everything is kept. */
export const homeOf = ({ env, cwd }: Surroundings): string =>
  env["REPRISE_HOME"] === undefined || env["REPRISE_HOME"] === ""
    ? join(homedir(), ".reprise")
    : resolve(cwd, env["REPRISE_HOME"]);
