import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PlaceId } from "../contract/base/id.ts";
import {
  AGENTCTL_FILE,
  LINK_PROTOCOL,
  OWNER_FILE,
} from "../contract/link/link.ts";
import type { HostAndPort } from "../contract/link/network-address.ts";
import { LinkError } from "../contract/link/link-error.ts";
import { RepriseError } from "../contract/problem/reprise-error.ts";
import { crashPoint } from "../kit/crash-point.ts";
import {
  readIfThere,
  remove,
  sweepDrafts,
  writeDurably,
} from "../kit/files/durable-file.ts";
import { DEFAULT_LOG_LIMITS, type LogLimits } from "../kit/files/log-file.ts";
import { loadOrMakeId } from "../kit/files/own-id.ts";
import { takeOsLock } from "../kit/processes/os-lock.ts";
import { checkOurs } from "../kit/files/own-file.ts";
import { identify } from "../kit/processes/process-identity.ts";
import { ulid } from "../kit/data/ulid.ts";
import { Executions } from "./execution/executions.ts";
import { watchHome } from "./daemon/home-watch.ts";
import { ownEnvironment } from "./daemon/own-environment.ts";
import { loadOrMakeCertificate } from "./link/certificate.ts";
import { listen, type Listening } from "./link/listen.ts";
import type { NetworkLimits } from "./link/network-door.ts";
import { ordersOf } from "./orders/orders.ts";
import { openLog, reasonOf } from "./base/log.ts";
import { Owners } from "./base/owners.ts";
import { directoryOf, lockOf, prepareDaemon } from "./daemon/daemon.ts";
import { Commands } from "./run/commands.ts";
import { Shells } from "./shells/shells.ts";
import { Transfers } from "./storage/transfers.ts";

export interface AgentctlOptions {
  home: string;
  socketPath: string;
  token: string;
  build: string;
  /** Where our own programs lie, if not beside this one. */
  programs?: string | undefined;
  /** What runs our programs, if not the program that runs us: in a container that is the loader. */
  node?: string | undefined;
  /** How much of its log is kept. */
  logLimits?: LogLimits;
  /** Listens for servers on other machines besides, and gives agents what this machine has. */
  network?: Network | null;
  /** Of this process, where agents get of it besides what orders say: in a container. */
  env?: Network["env"] | null;
  /** How long an agent may leave a message unread before that is reported. */
  stallMs?: number;
  /** How long a start may wait for a look at the workspace. */
  lookMs?: number;
  /** How often to look whether the home is still there. */
  watchMs?: number;
}

export interface Network extends HostAndPort {
  token: string;
  /** Plain TCP instead of TLS: for loopback addresses alone. */
  isPlain: boolean;
  limits?: Partial<NetworkLimits>;
  /** Of this process; what agents get of it. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface Running {
  /** Where servers on other machines reach us; null where they do not. */
  readonly address: HostAndPort | null;
  /** By which they know us; null without TLS. */
  readonly fingerprint: string | null;
  /** Resolves when it is time to close: a server let us retire, or our home is gone. */
  readonly over: Promise<void>;
  /** Finishes the message at hand and lets go; agents go on. */
  close(): Promise<void>;
}

/**
 * The daemon beside the agents: one per home.
 *
 *     lock ─► agentctl.json ─► listening ─► adopted: `hello` is answered ─► over
 *
 * Everything happens under the lock. Who we are is known before anybody can reach us, so that who does not answer can
 * be ended by those who wait; and we listen while we adopt, so that taking long is not taken for being frozen.
 */
export const runAgentctl = async ({
  home,
  socketPath,
  token,
  build,
  programs,
  node,
  network = null,
  env = network?.env ?? null,
  logLimits = DEFAULT_LOG_LIMITS,
  stallMs = 10_000,
  lookMs = 2000,
  watchMs = 5000,
}: AgentctlOptions): Promise<Running> => {
  const directory = directoryOf(home);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const path of [home, directory]) await checkOurs(path);
  const lock = takeOsLock(lockOf(home));
  if (lock === null)
    throw new RepriseError(
      "home_held",
      `another agentctl is running in ${home}`,
    );
  crashPoint("agentctl.held");
  if (network !== null) await refuseHomeOfServer(home);
  const certificate =
    network === null || network.isPlain
      ? null
      : await loadOrMakeCertificate(directory);
  const logFile = openLog(join(directory, "agentctl.log"), logLimits);
  const { log } = logFile;
  const daemon = await prepareDaemon(home, log, {
    programs,
    node,
    ownEnvironment: env && ownEnvironment(env),
    stallMs,
    lookMs,
  });
  await daemon.storage.sweep();
  const announced = await announce(directory, { socket: socketPath, build });
  const executions = new Executions(daemon);
  const shells = new Shells(daemon);
  const over = Promise.withResolvers<void>();
  const retire = () => {
    log("retiring");
    // What is being answered goes out first.
    setImmediate(over.resolve);
  };
  const commands = new Commands(daemon);
  const adopted = Promise.withResolvers<void>();
  let listening: Listening;
  try {
    listening = await listen(
      socketPath,
      token,
      {
        build,
        placeId: await loadOrMakeId(
          join(directory, "place-id"),
          parseId,
          makeId,
        ),
        owners: await Owners.open(home, directory),
        orders: ordersOf(
          daemon,
          executions,
          commands,
          shells,
          network === null ? retire : refuseToRetire,
        ),
        shells,
        adopted: adopted.promise,
        giveWay: async () => {
          if (network === null && (await executions.areAllEnded())) retire();
        },
        openTransfers: () => new Transfers(daemon.storage),
        place: daemon,
        ...(env !== null && { environment: "own" as const }),
        workspaces: daemon.workspaces,
        log,
      },
      network === null ? null : { ...network, certificate },
    );
  } catch (error) {
    await announced.withdraw();
    throw error;
  }
  adoptAll(executions, commands, shells)
    .then(() => daemon.proxies.sweep())
    .then(adopted.resolve, adopted.reject);
  await adopted.promise;
  const watch = watchHome(daemon, watchMs, (how) => {
    log("the home is gone", { how });
    (how === "removed"
      ? Promise.all([executions.endAll(), shells.endAll()])
      : Promise.resolve()
    )
      .catch((error: unknown) =>
        log("cannot end agents", { error: reasonOf(error) }),
      )
      .finally(() => over.resolve());
  });
  log("listening", { socket: socketPath, build });
  return {
    address: listening.address,
    fingerprint: certificate?.fingerprint ?? null,
    over: over.promise,
    close: async () => {
      watch.close();
      await listening.close();
      await commands.end();
      daemon.proxies.leave();
      await Promise.all([
        executions.leave(),
        shells.leave(),
        daemon.storage.close(),
        daemon.files.close(),
      ]);
      await announced
        .withdraw()
        .catch((error: unknown) =>
          log("cannot remove agentctl.json", { error: reasonOf(error) }),
        );
      lock.release();
      log("closed");
      await logFile.close();
    },
  };
};

/** One home, one server: what a server of this home keeps here would be another owner's. */
const refuseHomeOfServer = async (home: string): Promise<void> => {
  if ((await readIfThere(join(home, OWNER_FILE))) === null) return;
  throw new RepriseError(
    "home_unusable",
    `${home} is the home of a server. Choose another one for this agentctl with --home.`,
  );
};

/** Nobody would start another one in its place: its service does that when it has ended. */
const refuseToRetire = (): never => {
  throw new LinkError(
    "unknown_method",
    "this agentctl is started and ended on its own machine",
  );
};

/** Agents are taken over; commands, which nobody waits for any more, are ended. */
const adoptAll = async (
  executions: Executions,
  commands: Commands,
  shells: Shells,
): Promise<void> => {
  await Promise.all([
    executions.adoptAll(),
    commands.endLeft(),
    shells.adoptAll(),
  ]);
};

const parseId = (text: string): PlaceId | null =>
  PlaceId.safeParse(text).data ?? null;

const makeId = (): PlaceId => PlaceId.parse(`plc_${ulid(Date.now())}`);

/** Leaves word which process we are. It is taken back by a clean close, so that only what died is found dead. */
const announce = async (
  directory: string,
  us: { socket: string; build: string },
): Promise<{ withdraw(): Promise<void> }> => {
  const path = join(directory, AGENTCTL_FILE);
  await sweepDrafts(path);
  const identity = await identify(process.pid);
  const text = `${JSON.stringify({ ...identity, ...us, protocol: LINK_PROTOCOL })}\n`;
  await writeDurably(path, text);
  return {
    // Where our home is gone, another one may stand there by now.
    withdraw: async () => {
      if ((await readIfThere(path)) === text) await remove(path);
    },
  };
};
