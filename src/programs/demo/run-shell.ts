import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { textual } from "./textual.ts";
import type { Turn } from "./turn.ts";

/** Most of what is kept of a command's output: every update carries all of it again. */
const LIMIT = 256 * 1024;
const SHOW_EVERY_MS = 50;
/** How long the last words of an ended command may take through its pipe; what it left in the background keeps it open. */
const DRAIN_MS = 100;

/**
 * A tool call that runs a shell command. The shell gets a process session of its own, as with real agents: when this
 * process dies, the command goes on, and whoever holds this agent has to find it.
 */
export const runShell = async (turn: Turn, command: string): Promise<void> => {
  const toolCallId = `run-${crypto.randomUUID()}`;
  await turn.show({
    toolCallId,
    title: command,
    kind: "execute",
    status: "in_progress",
    rawInput: { command },
  });
  const shell = spawn("sh", ["-c", command], {
    cwd: turn.cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = ending(shell);
  const kill = (): void => killSession(shell);
  turn.signal.addEventListener("abort", kill, { once: true });
  try {
    const output = collect(shell, (text) =>
      turn.showMore({ toolCallId, content: textual(text) }),
    );
    const how = await ended;
    const text = await output.finished();
    await turn.showMore({
      toolCallId,
      status: how === "exit code 0" ? "completed" : "failed",
      content: textual(`${text}[${how}]`),
      rawOutput: { output: text, ending: how },
    });
    await turn.say(`The command ended with ${how}.\n`);
  } finally {
    turn.signal.removeEventListener("abort", kill);
  }
};

/** How it ended, in words; the process may be gone while something it started still holds its output open. */
const ending = (shell: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    shell
      .once("exit", (code, signal) =>
        resolve(signal ? `signal ${signal}` : `exit code ${code}`),
      )
      .once("error", (error) => resolve(`error ${error.message}`));
  });

/** Gathers what a command prints and shows it now and then, one showing at a time. */
const collect = (
  shell: ChildProcess,
  show: (text: string) => Promise<void>,
) => {
  const closed = new Promise<void>((resolve) => {
    shell.once("close", () => resolve());
  });
  const done = new AbortController();
  let text = "";
  let shown = 0;
  for (const stream of [shell.stdout, shell.stderr])
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      if (text.length < LIMIT) text += piece.slice(0, LIMIT - text.length);
    });

  const showing = (async () => {
    while (!done.signal.aborted) {
      if (text.length > shown) {
        shown = text.length;
        await show(text);
      }
      await setTimeout(SHOW_EVERY_MS, undefined, { signal: done.signal }).catch(
        () => {},
      );
    }
  })();

  return {
    /** All of it, once the command has ended. */
    finished: async (): Promise<string> => {
      await Promise.race([closed, setTimeout(DRAIN_MS)]);
      done.abort();
      await showing;
      if (text.length === LIMIT) return `${text}\n[the rest was cut]\n`;
      return text === "" || text.endsWith("\n") ? text : `${text}\n`;
    },
  };
};

const killSession = (shell: ChildProcess): void => {
  if (shell.pid === undefined) return;
  try {
    process.kill(-shell.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
};
