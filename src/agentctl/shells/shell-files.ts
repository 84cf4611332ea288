import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { Sandbox } from "../../contract/agent/sandbox.ts";
import { OwnerId, SessionId, ShellId } from "../../contract/base/id.ts";
import { ShellEnd } from "../../contract/session/shell.ts";
import type { Fifos } from "../execution/hold/fifos.ts";

/** The files by which a shell is held. They need nobody at the other end: it goes on when we are gone. */
export interface ShellFiles {
  directory: string;
  /** FIFO: what is typed. */
  stdin: string;
  /** FIFO: what it shows. A shell that shows more than fits waits until somebody reads. */
  stdout: string;
  /** FIFO: open for writing as long as the shell runs. */
  alive: string;
  /** FIFO: the wrapper waits here until the last output was read. */
  done: string;
  /** The name of the terminal. */
  tty: string;
  /** The process id of the shell. */
  pid: string;
  exit: string;
  record: string;
  end: string;
  /** What was shown. */
  scrollback: string;
}

export const shellFilesIn = (directory: string): ShellFiles => {
  const at = (name: string) => join(directory, name);
  return {
    directory,
    stdin: at("stdin"),
    stdout: at("stdout"),
    alive: at("alive"),
    done: at("done"),
    tty: at("tty"),
    pid: at("pid"),
    exit: at("exit"),
    record: at("shell.json"),
    end: at("end.json"),
    scrollback: at("scrollback"),
  };
};

export const makeFifos = async (
  files: ShellFiles,
  fifos: Fifos,
): Promise<void> => {
  await fifos.make([files.stdin, files.stdout, files.alive, files.done]);
  for (const path of [files.tty, files.pid])
    await writeFile(path, "", { mode: 0o600 });
};

/** Everything a successor needs, and no values of variables. */
export const ShellRecord = z.object({
  id: ShellId,
  session_id: SessionId,
  owner: OwnerId.nullable(),
  command: z.string(),
  cwd: z.string(),
  created_at: z.iso.datetime(),
  /** Of the session. */
  sandbox: Sandbox.exactOptional(),
  /** Null until it was started. */
  wrapper: z
    .object({
      boot_id: z.string(),
      pid: z.number().int(),
      start_time: z.string(),
    })
    .nullable(),
});
export type ShellRecord = z.infer<typeof ShellRecord>;

export const EndRecord = z.object({
  ended_at: z.iso.datetime(),
  end: ShellEnd,
  title: z.string().nullable(),
});
export type EndRecord = z.infer<typeof EndRecord>;
