/**
 * `ssh-relay.js --home DIR --owner ID --build NAME --node PATH …`: what a server runs on a host by ssh. It answers with one
 * line, and is then the connection to the agentctl there: standard input goes to its socket, and what comes from that to
 * standard output. It ends with either of them, and when the server gives no sign of life.
 */
import type { Socket } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LinkError } from "../../../contract/link/link-error.ts";
import { RepriseError } from "../../../contract/problem/reprise-error.ts";
import { classified } from "../../standalone/failure.ts";
import { connectHere } from "./agentctl-here.ts";
import type { RelayAnswer } from "./answer.ts";

const { values } = parseArgs({
  options: {
    home: { type: "string", default: "" },
    owner: { type: "string", default: "" },
    build: { type: "string", default: "" },
    node: { type: "string", default: "" },
    needed: { type: "boolean", default: false },
    silent: { type: "boolean", default: false },
    "log-mb": { type: "string", default: "10" },
    "log-files": { type: "string", default: "5" },
    "ready-ms": { type: "string", default: "60000" },
    "silence-ms": { type: "string", default: "10000" },
    "idle-ms": { type: "string", default: "60000" },
  },
});

const answer = (line: RelayAnswer): void =>
  void process.stdout.write(`${JSON.stringify(line)}\n`);

const relay = (socket: Socket, idleMs: number): void => {
  const end = (): void => process.exit(0);
  // A connection that was cut without a word is not told to us. Servers say something every few seconds.
  const idle = setTimeout(end, idleMs);
  process.stdin.on("data", () => idle.refresh());
  for (const event of ["end", "error", "close"]) process.stdin.once(event, end);
  process.stdout.once("error", end);
  socket.once("close", () => process.stdout.write("", end));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
};

process.once("SIGHUP", () => process.exit(0));
try {
  const { home, owner, build, node } = values;
  const found = await connectHere({
    home,
    owner,
    build,
    agentctl: join(import.meta.dirname, "agentctl.js"),
    node,
    isNeeded: values.needed,
    isSilent: values.silent,
    silenceMs: Number(values["silence-ms"]),
    logLimits: {
      maxBytes: Number(values["log-mb"]) * 1024 ** 2,
      files: Number(values["log-files"]),
    },
    readyMs: Number(values["ready-ms"]),
    env: process.env,
  });
  if (found === null) answer({ kind: "nobody" });
  else {
    const { socket, path, token } = found;
    answer({ kind: "connected", token, socket: path });
    relay(socket, Number(values["idle-ms"]));
  }
} catch (thrown) {
  const error = classified(thrown, values.home);
  const isKnown = error instanceof RepriseError || error instanceof LinkError;
  answer({
    kind: "failed",
    code: isKnown ? error.code : "internal",
    message: error.message,
  });
  process.stdout.write("", () => process.exit(0));
}
