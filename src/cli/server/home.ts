import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { World } from "../terminal/world.ts";

/** Where everything is kept. */
export const homeOf = ({ env, cwd }: Pick<World, "env" | "cwd">): string =>
  env["REPRISE_HOME"] === undefined || env["REPRISE_HOME"] === ""
    ? join(homedir(), ".reprise")
    : resolve(cwd, env["REPRISE_HOME"]);
