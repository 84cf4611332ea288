/** Agents on other hosts: an agentctl that somebody started there with `--listen` hosts them, and outlives us and the network. */
import { isAbsolute, join } from "node:path";
import type { OwnerId } from "../../contract/base/id.ts";
import {
  KIND_REMOTE,
  type PlaceRef,
  placeKey,
} from "../../contract/base/place.ts";
import type { RemoteSettings } from "../../contract/link/executor-settings.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { parseAddress } from "../../contract/link/network-address.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { readPrivate } from "../../kit/files/private-file.ts";
import { UnusableFile } from "../../kit/files/unusable-file.ts";
import type { Executors } from "../../runtime/ports/executors.ts";
import type { Log } from "../../runtime/ports/home.ts";
import { attempts } from "../link/attempts.ts";
import { DataLink, type Dialled } from "../link/data-link.ts";
import { openLink, type Link } from "../link/link.ts";
import { placeOver } from "../link/place.ts";
import {
  type Reached,
  type Reaching,
  SharedPlace,
} from "../link/shared-place.ts";
import { dial, type Far } from "./dial.ts";
import {
  noToken,
  notConfigured,
  notForServers,
  notLetIn,
  refusedHello,
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

export const remoteExecutors = (parts: RemoteParts): Executors => {
  const shared = new Map(
    Object.entries(parts.hosts).map(([name, settings]) => {
      const far = farOf(parts, name, settings);
      return [name, new SharedPlace((how) => reach(parts, far, how))];
    }),
  );
  const of = (at: PlaceRef): SharedPlace => {
    if (at.kind !== KIND_REMOTE)
      throw new RepriseError(
        "not_supported",
        `${placeKey(at)} is no place on another host.`,
      );
    const found = shared.get(at.id);
    if (found === undefined) throw notConfigured(at.id, [...shared.keys()]);
    return found;
  };
  return {
    obtain: async (at, term) => of(at).obtain(term),
    // Nothing is ever started there: who looks and who needs it do the same.
    find: async (at, term) => of(at).obtain(term),
    leave: async (at) => shared.get(at.id)?.leave(),
    close: async () => {
      await Promise.all([...shared.values()].map((each) => each.close()));
    },
  };
};

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
  const facts = { host: far.name, build: link.hello.build };
  log.info({ ...facts, term }, "connected to the agentctl of a host");
  void link.closed.then(() => {
    if (!signal.aborted) log.warn(facts, "the link to a host is lost");
  });
  const data = new DataLink({
    link,
    dial: () => dialled(parts, far, signal),
    silenceMs,
  });
  return {
    place: placeOver(link, data, {
      runtime: KIND_REMOTE,
      url: `${far.fingerprint === undefined ? "tcp" : "tls"}://${far.address}`,
      port: far.port,
      containerId: null,
    }),
    isOpen: () => link.isOpen(),
    close: () => link.close(),
  };
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
    throw error instanceof LinkError ? refusedHello(far, error) : error;
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
