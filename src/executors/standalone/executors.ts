import { join, resolve } from "node:path";
import type { OwnerId } from "../../contract/base/id.ts";
import { LINK_TOKEN_FILE } from "../../contract/link/link.ts";
import { LOCAL, type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import {
  DEFAULT_LOG_LIMITS,
  type LogLimits,
} from "../../kit/files/log-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { checkOurs } from "../../kit/files/own-file.ts";
import { loadOrMakeSecret } from "../../kit/files/secret-file.ts";
import { whyNoSandboxes } from "../../kit/processes/bubblewrap.ts";
import type { Executors } from "../../runtime/ports/executors.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { DataLink } from "../link/data-link.ts";
import { placeOver } from "../link/place.ts";
import {
  NobodyThere,
  SharedPlace,
  type Reached,
  type Reaching,
} from "../link/shared-place.ts";
import { connected } from "./daemon.ts";
import { daemonEnvironment } from "./environment.ts";
import { classified } from "./failure.ts";
import { install, type Installation } from "./install.ts";
import { reachAgentctl } from "./reach.ts";
import { socketPath } from "./socket-path.ts";
import { spawnDaemon } from "./spawn-daemon.ts";

export interface StandaloneSettings {
  home: string;
  /** The id of the home. */
  owner?: OwnerId;
  version: string;
  log: Log;
  /** How much of the daemon's log is kept. */
  logLimits?: LogLimits;
  /** Where the daemon's few variables come from. */
  env?: NodeJS.ProcessEnv;
  /** Throws while nothing may be started in the home. */
  checkHome?: () => void;
  /** How long a daemon may take to listen, and then to answer `hello`. */
  readyMs?: number;
  /** After how long without a sign of life it counts as frozen. */
  silenceMs?: number;
}

/** Agents on this machine: one detached daemon per home hosts them all and outlives us. */
export const standaloneExecutors = (
  settings: StandaloneSettings,
): Executors => {
  const home = resolve(settings.home);
  const directory = join(home, "agentctl");
  const installed = once(() => install(directory, settings.version));
  const shared = new SharedPlace(async (how) => {
    try {
      return await reach(settings, home, directory, { installed, ...how });
    } catch (error) {
      if (error instanceof NobodyThere) throw error;
      installed.forget();
      throw classified(error, directory);
    }
  });
  return {
    obtain: async (at, term) => {
      requireLocal(at);
      return shared.obtain(term);
    },
    find: async (at, term) => {
      requireLocal(at);
      return shared.isReached() || (await isListening(home, settings.env))
        ? shared.find(term)
        : null;
    },
    whyNoSandbox: () =>
      whyNoSandboxes(daemonEnvironment(settings.env ?? process.env)),
    leave: async (at) => {
      if (isLocal(at)) await shared.leave();
    },
    close: async () => {
      await shared.close();
      await installed.settled();
    },
  };
};

const isLocal = (at: PlaceRef): boolean => placeKey(at) === placeKey(LOCAL);

const requireLocal = (at: PlaceRef): void => {
  if (!isLocal(at))
    throw new RepriseError(
      "not_supported",
      `There is no executor ${placeKey(at)} here; use ${LOCAL.kind}`,
    );
};

/** Whether somebody listens where the daemon of this home does. */
const isListening = async (
  home: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> => {
  const socket = await connected(await socketPath(home, env));
  socket?.destroy();
  return socket !== null;
};

const reach = async (
  {
    owner,
    version,
    log,
    logLimits = DEFAULT_LOG_LIMITS,
    env = process.env,
    checkHome = () => undefined,
    readyMs = 60_000,
    silenceMs = 10_000,
  }: StandaloneSettings,
  home: string,
  directory: string,
  {
    installed,
    term,
    isNeeded,
    signal,
  }: { installed: Once<Installation> } & Reaching,
): Promise<Reached> => {
  checkHome();
  await makeDirectory(directory);
  await checkOurs(directory);
  const token = await loadOrMakeSecret(join(directory, LINK_TOKEN_FILE));
  const path = await socketPath(home, env);
  const start = async () => {
    const installation = await installed.get();
    if (!isNeeded()) throw new NobodyThere();
    return spawnDaemon(installation, {
      home,
      directory,
      socketPath: path,
      env,
      logLimits,
    });
  };
  // Begun now, while our files are still the ones we run: should this daemon die, its successor is at hand.
  const installing = installed.get().catch((error: unknown) => {
    installed.forget();
    log.warn({ err: error }, "agentctl could not be installed in the home");
    return null;
  });
  const link = await reachAgentctl({
    directory,
    socketPath: path,
    introduction: {
      token,
      owner,
      term,
      build: version,
      log,
      deadlineMs: readyMs,
      silenceMs,
    },
    start,
    readyMs,
    ownBuild: async () => (await installing)?.build ?? null,
    log,
    signal,
  });
  const { pid, build } = link.hello;
  log.info({ pid, build, term }, "connected to agentctl");
  void link.closed.then(() => {
    if (!signal.aborted)
      log.warn(
        { pid, build },
        "the link to agentctl is lost; it is reached again when it is needed",
      );
  });
  const data = new DataLink({
    link,
    dial: async () => {
      const stream = await connected(path);
      return stream && { stream, token };
    },
    silenceMs,
  });
  return {
    place: placeOver(link, data, {
      runtime: LOCAL.kind,
      url: `unix:${path}`,
      port: null,
      containerId: null,
    }),
    isOpen: () => link.isOpen(),
    close: () => link.close(),
  };
};

interface Once<T> {
  get(): Promise<T>;
  /** The next `get` does it again. */
  forget(): void;
  /** When nothing of it is under way, also of what was forgotten. */
  settled(): Promise<void>;
}

const once = <T>(work: () => Promise<T>): Once<T> => {
  let done: Promise<T> | null = null;
  const underWay = new Set<Promise<T>>();
  const begin = (): Promise<T> => {
    const begun = work().finally(() => underWay.delete(begun));
    underWay.add(begun);
    return begun;
  };
  return {
    get: () => (done ??= begin()),
    forget: () => {
      done = null;
    },
    settled: async () => {
      await Promise.allSettled(underWay);
    },
  };
};
