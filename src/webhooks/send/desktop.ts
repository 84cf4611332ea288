/** Notifications on the desktop, by the program that the system has for it. It is started without a shell. */
import { spawn } from "node:child_process";
import type { Channel, Outcome } from "../channel.ts";
import type { Note } from "../message/note.ts";

export const DESKTOP = "notify.desktop";
const TEN_MINUTES_MS = 10 * 60_000;
const RUN_MS = 10_000;

export const desktopChannel = ({
  platform,
  env,
  ...wishes
}: Pick<Channel, "events" | "wants" | "isSettled"> & {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}): Channel => ({
  id: DESKTOP,
  kind: "desktop",
  url: null,
  ...wishes,
  // One that comes later is of no use.
  pausesMs: [],
  maxAgeMs: TEN_MINUTES_MS,
  problem: async () => null,
  send: ({ note }, signal) =>
    run(commandFor(platform, note), desktopEnv(env), signal),
});

/** What finds the desktop. Nothing else of the environment is any business of that program. */
const desktopEnv = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    "PATH HOME USER LANG DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS"
      .split(" ")
      .flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );

interface Command {
  program: string;
  args: readonly string[];
}

/** What agents and people wrote is an argument, and never a part of a script. */
export const commandFor = (platform: NodeJS.Platform, note: Note): Command =>
  platform === "darwin"
    ? {
        program: "osascript",
        args: [
          "-e",
          "on run argv",
          "-e",
          "display notification (item 2 of argv) with title (item 1 of argv)",
          "-e",
          "end run",
          "--",
          note.title,
          note.text,
        ],
      }
    : {
        program: "notify-send",
        args: [
          "--app-name=Reprise",
          `--urgency=${note.isUrgent ? "critical" : "normal"}`,
          "--",
          note.title,
          asText(note.text),
        ],
      };

/** `notify-send` reads escapes such as `\074` in the text, and what shows it reads markup: links and pictures. Neither is meant. */
const asText = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

const run = (
  { program, args }: Command,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Outcome> =>
  new Promise((done) => {
    const failed = (error: string): void =>
      done({ kind: "failed", status: null, error });
    const child = spawn(program, args, {
      env,
      stdio: "ignore",
      timeout: RUN_MS,
      signal,
    });
    child.on("error", (error: NodeJS.ErrnoException) =>
      failed(
        error.code === "ENOENT"
          ? `${program} was not found; install it, or switch desktop notifications off`
          : `${program} could not be run (${error.code ?? error.name})`,
      ),
    );
    child.on("exit", (code) =>
      code === 0
        ? done({ kind: "delivered", status: null })
        : failed(
            `${program} failed (${code === null ? "it took too long" : `exit status ${code}`}); is there a desktop?`,
          ),
    );
  });
