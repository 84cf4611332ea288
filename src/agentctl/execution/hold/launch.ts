import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { crashPoint } from "../../../kit/crash-point.ts";
import {
  bootId,
  identify,
  type ProcessIdentity,
} from "../../../kit/processes/process-identity.ts";
import { untilEndOfFile } from "./alive.ts";
import type { AgentFiles } from "./files.ts";

export interface Launched {
  wrapper: ProcessIdentity;
  /** Resolves when the wrapper is gone. */
  gone: Promise<void>;
}

/** Starts the agent in a process session of its own, on files instead of pipes. `env` is all it gets. */
export const launch = async (
  files: AgentFiles,
  command: {
    argv: readonly string[];
    env: Record<string, string>;
    cwd: string;
  },
): Promise<Launched> => {
  // The wrapper gets its end of `alive` from birth, so end-of-file can mean nothing but its death.
  const alive = openSync(files.alive, constants.O_RDWR | constants.O_NONBLOCK);
  const gone = untilEndOfFile(files.alive);
  // Blocking for the agent: we open the FIFO once more for ourselves, because modes belong to the opening.
  const stdin = openSync(files.stdin, constants.O_RDWR);
  const stdout = openSync(files.stdout, "a");
  const stderr = openSync(files.stderr, "a");
  try {
    const child = spawn(
      "/bin/sh",
      ["-c", WRAPPER, "reprise", files.directory, ...command.argv],
      {
        cwd: command.cwd,
        env: command.env,
        detached: true,
        stdio: [stdin, stdout, stderr, alive],
      },
    );
    child.unref();
    await once(child, "spawn");
    crashPoint("agentctl.launched");
    const pid = child.pid ?? 0;
    return { wrapper: (await identify(pid)) ?? (await deadAlready(pid)), gone };
  } finally {
    for (const fd of [alive, stdin, stdout, stderr]) closeSync(fd);
  }
};

/** An agent that ended before we could look: an identity that nothing running has. */
const deadAlready = async (pid: number): Promise<ProcessIdentity> => ({
  boot_id: await bootId(),
  pid,
  start_time: "unknown",
});

/**
 * The program between us and the agent: `sh -c WRAPPER reprise DIRECTORY COMMAND ARG…`. It is constant; everything
 * comes as a positional parameter. It lives exactly as long as the agent, holds the `alive` FIFO (descriptor 3, which
 * the agent does not get) and leaves the exit status in a file, for whoever looks: a child that was started by an
 * agentctl that is gone has no other way to say how it ended. Signals meant for the agent's group are caught, not
 * ignored: what is ignored would be ignored by the agent too. Variables named in REPRISE_HIDE are for us alone: whoever
 * takes over reads them off this process, and the agent does not get them.
 */
const WRAPPER = `
directory=$1
for name in $REPRISE_HIDE; do unset "$name"; done
unset REPRISE_HIDE
trap : HUP INT QUIT TERM USR1 USR2
/bin/sh -c 'echo $$ >"$1/pid"; shift; exec "$@"' reprise "$@" 3>&-
status=$?
umask 077
echo $status >"$directory/exit.new"
/bin/mv -f "$directory/exit.new" "$directory/exit"
`;
