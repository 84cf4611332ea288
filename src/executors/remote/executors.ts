/** Agents on other hosts: an agentctl that somebody started there with `--listen` hosts them, and outlives us and the network. */
import { isAbsolute, join } from "node:path";
import type { OwnerId } from "../../contract/base/id.ts";
import { KIND_REMOTE } from "../../contract/base/place.ts";
import type { RemoteSettings } from "../../contract/link/executor-settings.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { parseAddress } from "../../contract/link/network-address.ts";
import { readPrivate } from "../../kit/files/private-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";
import type { Executors } from "../../runtime/ports/executors.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { refusedHello } from "../hosts/host-problem.ts";
import { namedHosts } from "../hosts/named-hosts.ts";
import { reachedHost } from "../hosts/reached-host.ts";
import { attempts } from "../link/attempts.ts";
import type { Dialled } from "../link/data-link.ts";
import { openLink, type Link } from "../link/link.ts";
import type { Reached, Reaching } from "../link/shared-place.ts";
import { dial, type Far } from "./dial.ts";
import {
  noToken,
  notForServers,
  notLetIn,
  OTHER_RELEASE,
  unreachable,
} from "./host-problem.ts";

export interface RemoteParts {
  /** By the names of the hosts. */
  hosts: Readonly<Record<string, RemoteSettings>>;
  home: string;
  /** The id of the home. */
  owner?: OwnerId;
  version: string;
  log: Log;
  /** How long a connection may take, and then `hello`. */
  dialMs?: number;
  readyMs?: number;
  /** After how long without a sign of life a host counts as gone. */
  silenceMs?: number;
}

export const remoteExecutors = (parts: RemoteParts): Executors =>
  // Nothing is ever started there: who looks and who needs it do the same.
  namedHosts(KIND_REMOTE, parts.hosts, (name, settings, how) =>
    reach(parts, farOf(parts, name, settings), how),
  );

interface Host extends Far {
  tokenFile: string;
}

const farOf = (
  { home }: RemoteParts,
  name: string,
  { address, fingerprint, token_file }: RemoteSettings,
): Host => {
  const { host, port } = parseAddress(address) ?? { host: address, port: 0 };
  const tokenFile = isAbsolute(token_file)
    ? token_file
    : join(home, token_file);
  return { name, address, host, port, fingerprint, tokenFile };
};

const DIAL_MS = 10_000;
const READY_MS = 60_000;
const SILENCE_MS = 10_000;

/** A link that is lost while it is made may be an agentctl that is just being replaced. */
const MAX_ATTEMPTS = 3;

const reach = async (
  parts: RemoteParts,
  far: Host,
  { term, signal }: Reaching,
): Promise<Reached> => {
  const { log, silenceMs = SILENCE_MS } = parts;
  const link = await attempts<Link>(MAX_ATTEMPTS, signal, async () => {
    const opened = await open(parts, far, term, signal);
    if (opened === "silent") throw unreachable(far);
    return opened === "lost" ? "later" : opened;
  });
  if (link === null) throw unreachable(far);
  if (link.hello.environment !== "own") {
    await link.close();
    throw notForServers(far);
  }
  return reachedHost(
    {
      name: far.name,
      link,
      where: {
        runtime: KIND_REMOTE,
        url: `${far.fingerprint === undefined ? "tcp" : "tls"}://${far.address}`,
        port: far.port,
      },
      dial: () => dialled(parts, far, signal),
      silenceMs,
      log,
    },
    { term, signal },
  );
};

const open = async (
  parts: RemoteParts,
  far: Host,
  term: number,
  signal: AbortSignal,
): Promise<Link | "silent" | "lost"> => {
  const { owner, version, log } = parts;
  const { readyMs = READY_MS, silenceMs = SILENCE_MS } = parts;
  const { stream, token } = await dialled(parts, far, signal);
  const letGo = (): void => void stream.destroy();
  if (signal.aborted) letGo();
  signal.addEventListener("abort", letGo);
  try {
    return await openLink(stream, {
      token,
      owner,
      term,
      build: version,
      log,
      deadlineMs: readyMs,
      silenceMs,
      explain: (status) => notLetIn(far, far.tokenFile, status),
    });
  } catch (error) {
    throw error instanceof LinkError
      ? refusedHello(far, error, OTHER_RELEASE)
      : error;
  } finally {
    signal.removeEventListener("abort", letGo);
  }
};

/** The token is read each time: whoever exchanges it need not start the server again. */
const dialled = async (
  { dialMs = DIAL_MS }: RemoteParts,
  far: Host,
  signal: AbortSignal,
): Promise<Dialled> => {
  const token = await tokenFor(far);
  return { stream: await dial(far, dialMs, signal), token };
};

const tokenFor = async (far: Host): Promise<string> => {
  const { tokenFile } = far;
  const text = await readPrivate(tokenFile).catch((error: unknown) => {
    if (error instanceof UnusableFile)
      throw noToken(far, tokenFile, error.message);
    throw error;
  });
  const token = text?.trim() ?? "";
  if (text === null) throw noToken(far, tokenFile, "there is no such file");
  if (!/^[!-~]{1,1000}$/.test(token))
    throw noToken(far, tokenFile, "it holds no token");
  return token;
};
