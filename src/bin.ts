#!/usr/bin/env node
/** argv → cli, serve, agentctl. The heavy rooms are loaded only by the commands that need them. */
import { main } from "./cli/main.ts";
import { processWorld } from "./cli/process-world.ts";
import { readVersion } from "./cli/version.ts";
import type { Programs } from "./cli/world.ts";

const programs: Programs = {
  async serve(options) {
    const { serve } = await import("./serve.ts");
    return serve(options);
  },
  async agentctl(argv) {
    // The daemon is a program of its own, with its own command line.
    process.argv.splice(2, Infinity, ...argv);
    await import("./agentctl/bundle-entry.ts");
  },
};

process.exitCode = await main(
  process.argv.slice(2),
  processWorld(await readVersion(), programs),
);
