/**
 * An agentctl on a machine of its own gives agents what that machine has: the server's PATH and HOME say nothing there.
 */
import { homedir } from "node:os";
import type { PathFrom } from "../../contract/link/link-workspace.ts";
import { cleanEnvironment } from "../../kit/processes/clean-environment.ts";

export type Environment = Readonly<Record<string, string>>;

/** Of a service without a PATH. */
const DEFAULT_PATH =
  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What the service manager says to us, and what a shell says about itself. */
const NOT_FOR_AGENTS =
  /^(_|SHLVL|OLDPWD|PWD|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|CREDENTIALS_DIRECTORY|NOTIFY_SOCKET|MANAGERPID|LISTEN_(PID|FDS|FDNAMES)|WATCHDOG_(PID|USEC)|MEMORY_PRESSURE_.*)$/;

/** What agents get of the environment that agentctl was started with. */
export const ownEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): Environment => ({
  HOME: homedir(),
  PATH: DEFAULT_PATH,
  ...Object.fromEntries(
    Object.entries(cleanEnvironment(env)).filter(
      ([name, value]) => !NOT_FOR_AGENTS.test(name) && value !== "",
    ),
  ),
});

/** What an order says lies above it. Null: orders carry the whole environment. */
export const overOwn = (
  own: Environment | null,
  env: Record<string, string>,
): Record<string, string> => (own === null ? env : { ...own, ...env });

interface Started {
  env: Record<string, string>;
  path_from?: PathFrom | undefined;
}

/** A PATH that the server or somebody's terminal has is none of this machine; one that the session was given is meant. */
export const startedOverOwn = <T extends Started>(
  own: Environment | null,
  started: T,
): T => {
  if (own === null) return started;
  const { PATH: _, ...others } = started.env;
  const env = started.path_from === undefined ? started.env : others;
  return { ...started, env: { ...own, ...env } };
};
