/** The world of a real process. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import type { WriteStream } from "node:tty";
import { palette } from "./palette.ts";
import { CTRL_C, type Programs, type Sink, type World } from "./world.ts";

export const processWorld = (
  version: string,
  program: string,
  programs: Programs,
): Omit<World, "json" | "client"> => ({
  env: process.env,
  cwd: currentDirectory(),
  version,
  program,
  programs,
  now: () => new Date(),
  stdin: () => buffer(process.stdin),
  ask,
  out: sinkOf(process.stdout),
  err: sinkOf(process.stderr),
  onSignal(listen) {
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    const listeners = signals.map(
      (signal) => [signal, () => listen(signal)] as const,
    );
    for (const [signal, listener] of listeners) process.on(signal, listener);
    return () => {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    };
  },
});

const ask: World["ask"] = async (question) => {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
  });
  try {
    const left = once(lines, "close").then(() => null);
    const interrupted = once(lines, "SIGINT").then((): typeof CTRL_C => CTRL_C);
    return await Promise.race([lines.question(question), interrupted, left]);
  } finally {
    lines.close();
  }
};

/** Colours and cut lines on a terminal only, and no colours where NO_COLOR asks for none. */
const sinkOf = (stream: WriteStream): Sink => {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever read our output has left (`| head`): there is nobody to tell anything.
    if (error.code === "EPIPE") process.exit(0);
    if (stream !== process.stderr)
      process.stderr.write(
        `reprise: The output cannot be written: ${error.message}.\n`,
      );
    process.exit(1);
  });
  const isTerminal = stream.isTTY;
  const noColour = process.env["NO_COLOR"] ?? "";
  return {
    write: (words) => void (words.length === 0 || stream.write(words)),
    drained: async () => {
      if (stream.writableNeedDrain) await once(stream, "drain");
    },
    isTerminal,
    get columns() {
      return isTerminal ? stream.columns : null;
    },
    palette: palette(isTerminal && noColour === ""),
  };
};

/** Somebody may stand in a directory that is gone: a missing workspace, say, that they are about to bring back. */
const currentDirectory = (): string => {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
};
