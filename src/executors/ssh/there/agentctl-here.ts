/** The agentctl of a host, from its own machine: who it belongs to, whether it is there, and how it is started. */
import { mkdir } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import {
  CLAIM_FILE,
  LINK_TOKEN_FILE,
  OWNER_FILE,
} from "../../../contract/link/link.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { createDurably, readIfThere } from "../../../kit/files/durable-file.ts";
import type { LogLimits } from "../../../kit/files/log-file.ts";
import { makeDirectory } from "../../../kit/files/make-directory.ts";
import { checkOurs, readOurs } from "../../../kit/files/own-file.ts";
import { loadOrMakeSecret } from "../../../kit/files/secret-file.ts";
import { unavailable } from "../../link/unavailable.ts";
import { connected, reachDaemon } from "../../standalone/daemon.ts";
import { endFrozen } from "../../standalone/frozen.ts";
import { socketPath } from "../../standalone/socket-path.ts";
import {
  daemonArguments,
  type DaemonSettings,
  spawnApart,
} from "../../standalone/spawn-daemon.ts";
import { isAnswering } from "./is-answering.ts";
import { inLoginShell } from "./login-shell.ts";

export interface Here {
  home: string;
  /** The id of the server's home. */
  owner: string;
  build: string;
  agentctl: string;
  /** What runs Node here. */
  node: string;
  /** False: who is there is looked for, and nothing is made. */
  isNeeded: boolean;
  /** Whether who is there gave the server no sign of life. */
  isSilent: boolean;
  /** After how long without one it counts as frozen. */
  silenceMs: number;
  logLimits: LogLimits;
  /** How long an agentctl may take to listen. */
  readyMs: number;
  env: NodeJS.ProcessEnv;
}

export interface Connected {
  socket: Socket;
  path: string;
  token: string;
}

/** Null when nobody is there and nobody is needed. */
export const connectHere = async (here: Here): Promise<Connected | null> => {
  const { home, isNeeded, isSilent, silenceMs, env } = here;
  const directory = join(home, "agentctl");
  if (isNeeded) await prepare(home, directory);
  if (!(await isOwnedBy(here, directory))) return null;
  const token = await loadOrMakeSecret(join(directory, LINK_TOKEN_FILE));
  const path = await socketPath(home, env);
  if (isSilent && !(await isAnswering(path, token, silenceMs)))
    await endFrozen(directory);
  const socket = isNeeded
    ? await started(here, { home, directory, socketPath: path })
    : await connected(path);
  return socket && { socket, path, token };
};

const prepare = async (home: string, directory: string): Promise<void> => {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await checkOurs(home);
  await makeDirectory(directory);
  await checkOurs(directory);
};

/** The first server that needs it owns it from then on, as agentctl holds it with servers on the network. */
const isOwnedBy = async (
  { home, owner, isNeeded }: Here,
  directory: string,
): Promise<boolean> => {
  if ((await readIfThere(join(home, OWNER_FILE))) !== null)
    throw new LinkError(
      "not_owner",
      `${home} is the home of a server there. Name another directory in config.json.`,
    );
  const path = join(directory, CLAIM_FILE);
  if (isNeeded) await createDurably(path, `${owner}\n`);
  const found = (await readOurs(path))?.trim();
  if (found === undefined) return false;
  if (found === owner) return true;
  throw new LinkError(
    "not_owner",
    `${home} is used by the server of another home (${found}). Name another directory in config.json; or, if that server is gone for good, end the agentctl there and remove ${path}.`,
  );
};

const started = async (
  here: Here,
  where: Omit<DaemonSettings, "logLimits">,
): Promise<Socket> => {
  const { readyMs, logLimits, node, env } = here;
  const settings = { ...where, logLimits };
  const start = () =>
    spawnApart(
      inLoginShell(
        [
          node,
          ...daemonArguments(here, settings),
          "--node",
          node,
          "--own-environment",
        ],
        env,
      ),
      settings,
    );
  const { signal } = new AbortController();
  for (let tries = 0; tries < 2; tries++) {
    const socket = await reachDaemon(where.socketPath, start, readyMs, signal);
    if (socket !== "held") return socket;
    await endFrozen(where.directory);
  }
  throw unavailable(
    `An agentctl holds ${where.home} and never listens. End it there, then it is tried again`,
  );
};
