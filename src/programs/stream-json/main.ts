/** A CLI that prints JSON lines, as an ACP agent: ACP on stdin and stdout until stdin ends. */
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { stdin, stdout } from "../acp/stdio.ts";
import { streamJsonApp } from "./acp.ts";
import { commandLine } from "./command-line.ts";
import { Sessions } from "./sessions.ts";

/** A prompt may hold files. */
const MAX_BYTES = 256 * 1024 * 1024;

const given = commandLine(process.argv.slice(2));
if (given === null) {
  process.stderr.write(
    "usage: stream-json --dialect claude|codex|amp -- COMMAND…\n",
  );
  process.exit(2);
}

const sessions = new Sessions(given.dialect, given.command);
const end = async (code: number): Promise<never> => {
  await sessions.closeAll();
  process.exit(code);
};
process.on("SIGTERM", () => void end(0));
// What cannot be written is lost: better to end, visibly, than to go on unheard.
process.stdout.on("error", () => void end(1));

const connection = streamJsonApp(sessions).connect(
  ndJsonStream(stdout(), stdin(), { maxMessageBytes: MAX_BYTES }),
);
await connection.closed;
await end(0);
