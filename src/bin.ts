#!/usr/bin/env node
/** argv → cli, serve, agentctl. The heavy rooms are loaded only by the commands that need them. */
import { flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { asksVersion, readVersion } from "./cli/parsing/version.ts";
import type { Programs } from "./cli/terminal/world.ts";

const programs: Programs = {
  executable: fileURLToPath(new URL("../bin/reprise", import.meta.url)),
  async serve(options) {
    const { serve } = await import("./serve.ts");
    const serving = await serve(options);
    // Now and not at the end, which may come by SIGKILL.
    flushCompileCache();
    return serving;
  },
  async mcp(options) {
    const { mcpOverStdio } = await import("./mcp/stdio.ts");
    await mcpOverStdio(options);
  },
  async agentctl(argv) {
    // The daemon is a program of its own, with its own command line.
    process.argv.splice(2, Infinity, ...argv);
    await import("./agentctl/bundle-entry.ts");
  },
  async host(options) {
    const { become, hostProgram } = await import("./executors/remote/host.ts");
    become(await hostProgram(options));
  },
  async acp(options) {
    const { runAcp } = await import("./acp/main.ts");
    return runAcp({ ...options, executable: programs.executable });
  },
};

const run = async (argv: readonly string[]): Promise<number> => {
  const version = await readVersion();
  if (asksVersion(argv)) {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const { main } = await import("./cli/main.ts");
  const { processWorld } = await import("./cli/terminal/process-world.ts");
  const { programOf } = await import("./cli/terminal/program.ts");
  const { REPRISE_PROGRAM, PATH } = process.env;
  // They are about this process only: what we start was not called so, and is not compiled there.
  delete process.env["REPRISE_PROGRAM"];
  delete process.env["NODE_COMPILE_CACHE"];
  const program = programOf(REPRISE_PROGRAM, PATH);
  return main(argv, processWorld(version, program, programs));
};

process.exitCode = await run(process.argv.slice(2));
