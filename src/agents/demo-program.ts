import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Launch, Where } from "./launch.ts";
import { VERSION } from "./demo/version.ts";

/** The demo program: bundled where the product is installed, its source in a clone. */
export const locateDemo = async (
  where: Where,
  flags: readonly string[],
): Promise<Launch | null> => {
  const program = [
    join(where.programs, "demo-agent.js"),
    fileURLToPath(new URL("./demo/main.ts", import.meta.url)),
  ].find((file) => existsSync(file));
  if (program === undefined) return null;
  return {
    argv: [where.node, program, ...flags],
    env: {},
    version: VERSION,
    found: "built-in",
  };
};
