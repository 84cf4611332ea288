import { parseArgs } from "node:util";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import { UnusableFile } from "../kit/files/unusable-file.ts";
import { runAgentctl } from "./main.ts";
import { loadOrMakeToken } from "./daemon/daemon.ts";

/** `node agentctl.js --home DIR --socket PATH [--build NAME] [--node PATH] [--own-environment] [--log-mb N] [--log-files N]`: the daemon as a program of its own. */

const ALREADY_RUNNING = 3;
const MEBIBYTE = 1024 * 1024;

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    socket: { type: "string" },
    build: { type: "string", default: "source" },
    node: { type: "string" },
    "own-environment": { type: "boolean", default: false },
    "log-mb": { type: "string", default: "10" },
    "log-files": { type: "string", default: "5" },
  },
});
const { home, socket, build } = values;
if (home === undefined || socket === undefined) {
  process.stderr.write("usage: agentctl --home DIR --socket PATH\n");
  process.exit(2);
}

// It outlives the terminal and the server it was started from.
process.on("SIGHUP", () => undefined);
process.on("SIGINT", () => undefined);

try {
  const token = await loadOrMakeToken(home);
  const terminated = new Promise((resolve) => process.once("SIGTERM", resolve));
  const running = await runAgentctl({
    home,
    socketPath: socket,
    token,
    build,
    node: values.node,
    env: values["own-environment"] ? process.env : null,
    logLimits: {
      maxBytes: Number(values["log-mb"]) * MEBIBYTE,
      files: Number(values["log-files"]),
    },
  });
  void Promise.race([terminated, running.over])
    .then(() => running.close())
    .finally(() => process.exit(0));
  process.stdout.write(`${JSON.stringify({ ready: true, socket })}\n`);
} catch (error) {
  const isExplained =
    error instanceof RepriseError || error instanceof UnusableFile;
  if (!isExplained) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.code === "home_held" ? ALREADY_RUNNING : 1);
}
