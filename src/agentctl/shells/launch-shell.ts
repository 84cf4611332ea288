import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import type { SessionId, ShellId } from "../../contract/base/id.ts";
import { isSetAside } from "../../contract/agent/mcp-secret.ts";
import {
  bootId,
  identify,
  type ProcessIdentity,
} from "../../kit/processes/process-identity.ts";
import { untilEndOfFile } from "../execution/hold/alive.ts";
import type { Size } from "./screen/screen-messages.ts";
import type { ShellFiles } from "./shell-files.ts";

export interface Start {
  script: string;
  /** The shell. */
  program: string;
  cwd: string;
  size: Size;
  env: Record<string, string>;
  /** What begins the command line of a shell in a sandbox. */
  prefix: readonly string[];
}

/** Starts a shell in a terminal of its own. `gone` resolves when it has ended. */
export const launchShell = async (
  files: ShellFiles,
  { script, program, cwd, size, env, prefix }: Start,
): Promise<{ wrapper: ProcessIdentity; gone: Promise<void> }> => {
  const alive = openSync(files.alive, constants.O_RDWR | constants.O_NONBLOCK);
  const gone = untilEndOfFile(files.alive);
  // Blocking for the terminal: modes belong to the opening, and ours are other ones.
  const held = [files.stdin, files.stdout, files.done].map((path) =>
    openSync(path, constants.O_RDWR),
  );
  const [stdin, stdout, done] = held;
  try {
    const child = spawn(
      "/bin/sh",
      [
        "-c",
        WRAPPER,
        "reprise",
        files.directory,
        script,
        terminalIn(prefix),
        program,
      ],
      {
        cwd,
        env: {
          ...env,
          REPRISE_COLS: String(size.cols),
          REPRISE_ROWS: String(size.rows),
        },
        detached: true,
        stdio: [stdin, stdout, "ignore", alive, done],
      },
    );
    child.unref();
    await once(child, "spawn");
    const pid = child.pid ?? 0;
    const wrapper = (await identify(pid)) ?? {
      boot_id: await bootId(),
      pid,
      start_time: "unknown",
    };
    return { wrapper, gone };
  } finally {
    for (const fd of [alive, ...held]) closeSync(fd);
  }
};

/**
 * The program between us and the terminal: `sh -c WRAPPER reprise DIRECTORY SCRIPT TERMINAL SHELL`. It is constant;
 * everything comes as a parameter. It holds both ends of the FIFOs, so that neither what is typed nor what is shown
 * gets lost while nobody reads. When the shell has ended it leaves the exit code, closes `alive` (descriptor 3) and stays
 * until its last output was read (descriptor 4).
 */
const WRAPPER = `
directory=$1
trap : HUP INT QUIT TERM USR1 USR2
SHELL=/bin/sh REPRISE_HOLD=$directory REPRISE_PROGRAM=$4 "$2" -q -e -f -c "$3" /dev/null 3>&- 4>&-
status=$?
umask 077
echo $status >"$directory/exit.new"
/bin/mv -f "$directory/exit.new" "$directory/exit"
exec 3>&-
read _ <&4
`;

/**
 * Runs inside of the terminal, and becomes the shell. A shell in a sandbox has this terminal too, which is nobody else's: what is
 * put into its input reaches that shell alone. Without a terminal of its own it could not run jobs.
 */
const terminalIn = (prefix: readonly string[]): string => `
PATH="/usr/bin:/bin:$PATH" stty sane iutf8 rows "$REPRISE_ROWS" cols "$REPRISE_COLS"
PATH="/usr/bin:/bin:$PATH" tty >"$REPRISE_HOLD/tty"
echo $$ >"$REPRISE_HOLD/pid"
SHELL=$REPRISE_PROGRAM
export SHELL
unset REPRISE_ROWS REPRISE_COLS REPRISE_HOLD REPRISE_PROGRAM
exec ${prefix.map(quoted).join(" ")} "$SHELL"
`;

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** All processes of a shell bear it. */
export const shellMark = (shell: ShellId): string => `REPRISE_SHELL=${shell}`;

/** What agents get, without what is only for them, and with what terminals have. */
export const shellEnvironment = (
  { shell_id, session_id, cwd }: ShellPlace,
  env: Readonly<Record<string, string>>,
): Record<string, string> => {
  const kept = Object.entries(env).filter(
    ([name]) => !isSetAside(name) && !NOT_FOR_SHELLS.includes(name),
  );
  return {
    ...Object.fromEntries(kept),
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    PWD: cwd,
    REPRISE_SHELL: shell_id,
    REPRISE_SESSION_ID: session_id,
  };
};

interface ShellPlace {
  shell_id: ShellId;
  session_id: SessionId;
  cwd: string;
}

/** The mark of agents, and the size of another terminal. */
const NOT_FOR_SHELLS: readonly string[] = [
  "REPRISE_EXECUTION",
  "COLUMNS",
  "LINES",
];
