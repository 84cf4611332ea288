import type { OwnerId } from "../../contract/base/id.ts";
import type { LogLimits } from "../../kit/files/log-file.ts";
import type { Log } from "../../runtime/ports/home.ts";

/** What the configuration says about containers. */
export interface ContainerSettings {
  /** For sessions that name none. */
  image: string | null;
  /** The engine's name of a network; null: its default one. */
  network: string | null;
  memoryMb: number | null;
  cpus: number | null;
  pids: number;
  /** Whether the container may write to its own root. */
  writableRoot: boolean;
}

export const CONTAINER_DEFAULTS: ContainerSettings = {
  image: null,
  network: null,
  memoryMb: null,
  cpus: null,
  pids: 1024,
  writableRoot: false,
};

export interface DockerSettings {
  home: string;
  /** The id of the home. */
  owner: OwnerId;
  version: string;
  log: Log;
  /** Where the engine listens. */
  engine?: string;
  containers?: Partial<ContainerSettings>;
  /** How much of an agentctl's log is kept. */
  logLimits?: LogLimits;
  /** Throws while nothing may be started in the home. */
  checkHome?: () => void;
  /** How long an agentctl may take to listen, and then to answer `hello`. */
  readyMs?: number;
  /** After how long without a sign of life it counts as frozen. */
  silenceMs?: number;
}
