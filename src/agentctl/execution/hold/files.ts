import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crashPoint } from "../../../kit/crash-point.ts";
import { syncDirectory } from "../../../kit/files/durable-file.ts";
import type { Fifos } from "./fifos.ts";

/** The files by which an agent is held. They need nobody at the other end: the agent goes on when we are gone. */
export interface AgentFiles {
  directory: string;
  /** FIFO: what the agent reads. */
  stdin: string;
  /** FIFO: open for writing as long as the wrapper lives. */
  alive: string;
  /** Append-only. */
  stdout: string;
  stderr: string;
  /** The agent's process id. */
  pid: string;
  /** The agent's exit status, written by the wrapper. */
  exit: string;
  journal: string;
}

export const filesIn = (directory: string): AgentFiles => {
  const at = (name: string) => join(directory, name);
  return {
    directory,
    stdin: at("stdin"),
    alive: at("alive"),
    stdout: at("stdout"),
    stderr: at("stderr"),
    pid: at("pid"),
    exit: at("exit"),
    journal: at("journal"),
  };
};

export const makeFiles = async (
  files: AgentFiles,
  fifos: Fifos,
): Promise<void> => {
  await fifos.make([files.stdin, files.alive]);
  for (const path of [files.stdout, files.stderr, files.pid])
    await writeFile(path, "", { mode: 0o600, flag: "a" });
  crashPoint("agentctl.files");
  await syncDirectory(files.directory);
};
