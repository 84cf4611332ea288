/** Agents on hosts that are reached by OpenSSH: what runs there is sent there, started when it is needed, and outlives us. */
import { join } from "node:path";
import type { OwnerId } from "../../contract/base/id.ts";
import { KIND_SSH } from "../../contract/base/place.ts";
import type { SshSettings } from "../../contract/link/executor-settings.ts";
import {
  DEFAULT_LOG_LIMITS,
  type LogLimits,
} from "../../kit/files/log-file.ts";
import type { Executors } from "../../runtime/ports/executors.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { namedHosts } from "../hosts/named-hosts.ts";
import { installPrograms, type Programs } from "../standalone/programs.ts";
import type { Door } from "./knock.ts";
import { reachBySsh } from "./reach.ts";
import {
  CONNECT_SECONDS,
  sshArguments,
  sshEnvironment,
} from "./ssh-command.ts";

export interface SshParts {
  /** By the names of the hosts. */
  hosts: Readonly<Record<string, SshSettings>>;
  home: string;
  /** The id of the home. */
  owner: OwnerId;
  version: string;
  log: Log;
  /** How much of an agentctl's log is kept. */
  logLimits?: LogLimits;
  env?: NodeJS.ProcessEnv;
  /** Throws while nothing may be started in the home. */
  checkHome?: () => void;
  /** How long it may take until something of ours runs on a host, until an agentctl listens there, and then until `hello`. */
  dialMs?: number;
  readyMs?: number;
  /** After how long without a sign of life it counts as frozen. */
  silenceMs?: number;
}

/** ssh itself gives up before, and says why. */
const DIAL_MS = (CONNECT_SECONDS + 10) * 1000;
const READY_MS = 60_000;
const SILENCE_MS = 10_000;

export const sshExecutors = (parts: SshParts): Executors => {
  const {
    home,
    env = process.env,
    checkHome = () => undefined,
    logLimits = DEFAULT_LOG_LIMITS,
    dialMs = DIAL_MS,
    readyMs = READY_MS,
    silenceMs = SILENCE_MS,
    ...rest
  } = parts;
  const directory = join(home, "ssh", "programs");
  let installing: Promise<Programs> | null = null;
  const install = async (): Promise<Programs> => {
    checkHome();
    const programs = (installing ??= installPrograms(directory, rest.version));
    programs.catch(() => {
      if (installing === programs) installing = null;
    });
    return programs;
  };
  const doorOf = (name: string, settings: SshSettings): Door => ({
    name,
    address: settings.destination,
    // One for each home: hosts serve several servers.
    directory: settings.directory ?? `~/.reprise-hosts/${rest.owner}`,
    args: (command) => sshArguments(settings, home, command),
    env: sshEnvironment(env),
    dialMs,
  });
  const hosts = namedHosts(KIND_SSH, parts.hosts, (name, settings, how) =>
    reachBySsh(
      {
        ...rest,
        door: doorOf(name, settings),
        programs: { directory, install },
        logLimits,
        readyMs,
        silenceMs,
      },
      how,
    ),
  );
  return {
    ...hosts,
    close: async () => {
      await hosts.close();
      await installing?.catch(() => null);
    },
  };
};
