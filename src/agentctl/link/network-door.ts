/**
 * The door to the network. Whoever comes has shown nothing yet, so it may hold little and not for long:
 *
 *   connected ─► TLS ─► HTTP with the token ─► authenticated: its WebSockets are asked for signs of life
 *        └── not there in time · too many wait: the one that waits longest goes
 */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { RepriseError } from "../../contract/problem/reprise-error.ts";
import { hasErrno } from "../../kit/errno.ts";
import type { Log } from "../base/log.ts";
import type { Certificate } from "./certificate.ts";
import { endWhenSilent } from "./end-when-silent.ts";
import type { LinkServer } from "./link-server.ts";
import { countedLog } from "./counted-log.ts";

export interface NetworkSettings {
  host: string;
  /** 0: any that is free. */
  port: number;
  token: string;
  /** Null: plain TCP, which is for loopback addresses alone. */
  certificate: Certificate | null;
  limits?: Partial<NetworkLimits>;
}

export interface NetworkLimits {
  /** By when a connection must have shown the token. */
  handshakeMs: number;
  /** So many connections may be there that have not. */
  maxWaiting: number;
  /** Between two pings. */
  pingMs: number;
  /** After how long without a sign of life a connection is ended. */
  silenceMs: number;
  /** How often at most the log tells of those who were refused. */
  tellMs: number;
}

const LIMITS: NetworkLimits = {
  handshakeMs: 10_000,
  maxWaiting: 64,
  pingMs: 10_000,
  silenceMs: 30_000,
  tellMs: 60_000,
};

export interface NetworkDoor {
  readonly address: { host: string; port: number };
  close(): void;
}

export const openNetworkDoor = async (
  links: LinkServer,
  { host, port, token, certificate, limits = {} }: NetworkSettings,
  log: Log,
): Promise<NetworkDoor> => {
  const { handshakeMs, maxWaiting, pingMs, silenceMs, tellMs } = {
    ...LIMITS,
    ...limits,
  };
  const secured = securing(certificate);
  const refused = countedLog(log, "refused on the network", tellMs);
  const all = new Set<Socket>();
  /** In the order in which they came. */
  const waiting = new Set<Socket>();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const stream = secured(socket);
    for (const each of [socket, stream]) each.on("error", () => undefined);
    all.add(socket);
    waiting.add(socket);
    const late = setTimeout(() => end(socket, "no token in time"), handshakeMs);
    const settle = (): void => {
      clearTimeout(late);
      waiting.delete(socket);
    };
    socket.once("close", () => {
      settle();
      all.delete(socket);
    });
    const [oldest] = waiting;
    if (waiting.size > maxWaiting && oldest !== undefined)
      end(oldest, "too many wait");
    links.take(stream, {
      token,
      isRemote: true,
      onAuthenticated: settle,
      onRefused: () => refused.note("wrong token"),
      onOpened: (opened) =>
        endWhenSilent(opened, {
          everyMs: pingMs,
          silenceMs,
          heard: () => socket.bytesRead,
        }),
    });
  });
  const end = (socket: Socket, why: string): void => {
    refused.note(why);
    socket.destroy();
  };
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw new RepriseError("cannot_start", whyNot(error, host, port), {
      cause: error,
    });
  }
  server.on("error", (error) =>
    log("cannot take a connection", { error: error.message }),
  );
  const bound = server.address();
  return {
    address: {
      host,
      port: typeof bound === "object" && bound !== null ? bound.port : port,
    },
    close: () => {
      server.close();
      for (const socket of all) socket.destroy();
      refused.tell();
    },
  };
};

const securing = (
  certificate: Certificate | null,
): ((socket: Socket) => Duplex) => {
  if (certificate === null) return (socket) => socket;
  const { cert, key } = certificate;
  const secureContext = createSecureContext({
    cert,
    key,
    minVersion: "TLSv1.3",
  });
  return (socket) => new TLSSocket(socket, { isServer: true, secureContext });
};

const whyNot = (error: unknown, host: string, port: number): string => {
  if (hasErrno(error, "EADDRINUSE"))
    return `Port ${port} of ${host} is taken. Is another agentctl running there? Choose another port with --listen.`;
  if (hasErrno(error, "EACCES"))
    return `Port ${port} may not be opened by this user. Choose one above 1023 with --listen.`;
  if (hasErrno(error, "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"))
    return `${host} is no address of this machine. Choose another with --listen.`;
  return `Port ${port} of ${host} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`;
};
