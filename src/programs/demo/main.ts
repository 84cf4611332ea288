/** The demo agent's program: ACP on stdin and stdout until stdin ends. */
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { homedir } from "node:os";
import { demoApp } from "./acp.ts";
import { demoHome } from "../../agents/demo/session-path.ts";
import { Sessions } from "./sessions.ts";
import { stdin, stdout } from "../acp/stdio.ts";

/** A prompt may hold files. */
const MAX_BYTES = 256 * 1024 * 1024;

const flags = process.argv.slice(2);
const unknown = flags.find(
  (flag) => flag !== "--no-native" && flag !== "--no-memory",
);
if (unknown !== undefined) {
  process.stderr.write(
    `demo: unknown argument ${unknown}\nusage: demo [--no-native | --no-memory]\n`,
  );
  process.exit(2);
}

// A command that `run` started is left to itself when the agent ends, as real agents do.
process.on("SIGTERM", () => process.exit(0));
// What cannot be written is lost: better to end, visibly, than to go on unheard.
process.stdout.on("error", () => process.exit(1));

const sessions = new Sessions(demoHome(process.env, homedir()), {
  readsHistory: !flags.includes("--no-memory"),
  ledger: process.env["DEMO_LEDGER"],
});
const connection = demoApp(sessions, flags.length === 0).connect(
  ndJsonStream(stdout(), stdin(), { maxMessageBytes: MAX_BYTES }),
);
await connection.closed;
process.exit(0);
