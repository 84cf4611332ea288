import type { OwnerId } from "../../contract/base/id.ts";
import type { DockerConfig } from "../../contract/link/executor-settings.ts";
import type { LogLimits } from "../../kit/files/log-file.ts";
import type { Log } from "../../runtime/ports/home.ts";

export interface DockerSettings {
  home: string;
  /** The id of the home. */
  owner: OwnerId;
  version: string;
  log: Log;
  /** What `config.json` says of containers. */
  config?: Partial<DockerConfig>;
  /** How much of an agentctl's log is kept. */
  logLimits?: LogLimits;
  /** Throws while nothing may be started in the home. */
  checkHome?: () => void;
  /** How long an agentctl may take to listen, and then to answer `hello`. */
  readyMs?: number;
  /** After how long without a sign of life it counts as frozen. */
  silenceMs?: number;
}
