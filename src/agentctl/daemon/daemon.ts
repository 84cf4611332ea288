import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENTCTL_LOCK, LINK_TOKEN_FILE } from "../../contract/link/link.ts";
import { loadOrMakeSecret } from "../../kit/files/secret-file.ts";
import { Fences } from "../base/fences.ts";
import { DiskWatch } from "../base/full-disk.ts";
import { Fifos } from "../execution/hold/fifos.ts";
import type { Log } from "../base/log.ts";
import { ActiveSpeakers } from "../execution/report/active-speakers.ts";
import { OutputWatch } from "../execution/report/output-limit.ts";
import { TailSweep } from "../execution/report/tail.ts";
import { Proxies } from "../proxy/proxies.ts";
import { SeenProcesses } from "../processes/seen-processes.ts";
import { CheckpointStorage } from "../storage/checkpoint-storage.ts";
import type { Environment } from "./own-environment.ts";
import { WorkspaceFiles } from "../workspace/files/workspace-files.ts";

/** What every execution on this machine shares. */
export interface Daemon {
  /** `<home>/agentctl`. */
  directory: string;
  /** Held by the operating system for as long as we live. */
  lock: string;
  executions: string;
  /** Of sessions whose executions were forgotten. */
  fences: Fences;
  /** Ready for agents to come. */
  fifos: Fifos;
  /** The directory that holds our own programs: the one this program runs from, unless another is told. */
  programs: string;
  node: string;
  /** Of this run: ids of messages begin with it. */
  incarnation: string;
  /** What agents get below what orders say, on a machine of its own; null where orders carry all of it. */
  ownEnvironment: Environment | null;
  /** Where directories of sessions are made. */
  workspaces: string;
  /** How long an agent may leave a message unread before that is reported. */
  stallMs: number;
  /** How long a start may wait for a look at the workspace. */
  lookMs: number;
  log: Log;
  /** Where checkpoints are. */
  storage: CheckpointStorage;
  /** The files of workspaces, for whoever looks at them from outside. */
  files: WorkspaceFiles;
  /** Whose agents are speaking. */
  speakers: ActiveSpeakers;
  /** Tells executions that the disk is full. */
  disk: DiskWatch;
  /** Keeps the files of what agents print short. */
  output: OutputWatch;
  /** What sessions had running. */
  seen: SeenProcesses;
  /** What sandboxes with a list of hosts reach the network by. */
  proxies: Proxies;
  /** Looks at what agents print where the file system gave no notice. */
  sweep: TailSweep;
}

export const prepareDaemon = async (
  home: string,
  log: Log,
  {
    programs,
    node,
    ownEnvironment = null,
    stallMs,
    lookMs,
  }: Pick<Daemon, "stallMs" | "lookMs"> & {
    programs?: string | undefined;
    node?: string | undefined;
    ownEnvironment?: Environment | null;
  },
): Promise<Daemon> => {
  const directory = directoryOf(home);
  const executions = join(directory, "executions");
  await mkdir(executions, { recursive: true, mode: 0o700 });
  const storage = new CheckpointStorage(home, log);
  return {
    directory,
    lock: lockOf(home),
    executions,
    fences: await Fences.open(join(directory, "fences")),
    fifos: await Fifos.open(join(directory, "fifos")),
    programs: programs ?? dirname(fileURLToPath(import.meta.url)),
    node: node ?? process.execPath,
    incarnation: randomBytes(5).toString("hex"),
    ownEnvironment,
    workspaces: join(home, "workspaces"),
    stallMs,
    lookMs,
    log,
    storage,
    files: new WorkspaceFiles(storage),
    speakers: new ActiveSpeakers(),
    disk: new DiskWatch(),
    output: new OutputWatch(),
    seen: new SeenProcesses(join(directory, "seen"), log),
    proxies: new Proxies(join(directory, "proxies"), log),
    sweep: new TailSweep(),
  };
};

/** What a server has to show. */
export const loadOrMakeToken = async (home: string): Promise<string> => {
  const directory = directoryOf(home);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return loadOrMakeSecret(join(directory, LINK_TOKEN_FILE));
};

export const directoryOf = (home: string): string => join(home, "agentctl");

export const lockOf = (home: string): string =>
  join(directoryOf(home), AGENTCTL_LOCK);
