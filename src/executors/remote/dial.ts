/**
 * A connection to the agentctl of another host: TLS 1.3, and nothing is sent over it before the certificate is the one that is
 * expected. Without a fingerprint it is plain TCP, which config.json takes for addresses of this machine alone.
 */
import { createHash } from "node:crypto";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import {
  type HostAndPort,
  isLoopback,
} from "../../contract/link/network-address.ts";
import type { HostId } from "../hosts/host-problem.ts";
import { notConnected, unreachable, wrongFingerprint } from "./host-problem.ts";

export interface Far extends HostId, HostAndPort {
  /** Undefined: plain. */
  fingerprint: string | undefined;
}

/** Rejects with a `RepriseError` that says what is the matter. */
export const dial = async (
  far: Far,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Socket> => {
  signal.throwIfAborted();
  const socket = begin(far);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // It stays: between here and its user a socket must not bring the process down.
  socket.on("error", (error: Error) => reject(notConnected(far, error)));
  socket.once("close", () => reject(unreachable(far)));
  socket.once(far.fingerprint === undefined ? "connect" : "secureConnect", () =>
    resolve(),
  );
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort);
  const late = setTimeout(() => reject(unreachable(far)), deadlineMs);
  try {
    await promise;
    checkFingerprint(far, socket);
    socket.setNoDelay();
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", abort);
  }
};

const KEEP_ALIVE_MS = 30_000;

const begin = ({
  host,
  port,
  fingerprint,
  ...far
}: Far): Socket | TLSSocket => {
  if (fingerprint !== undefined)
    return connectTls({
      host,
      port,
      minVersion: "TLSv1.3",
      // No authority has signed it: it is known by its fingerprint.
      rejectUnauthorized: false,
    });
  if (!isLoopback(host))
    throw unreachable({ ...far }, new Error("plain and not of this machine"));
  return connectPlain({ host, port });
};

const checkFingerprint = (far: Far, socket: Socket | TLSSocket): void => {
  const { fingerprint } = far;
  if (fingerprint === undefined) return;
  const found = fingerprintOf(socket);
  if (found !== fingerprint) throw wrongFingerprint(far, found, fingerprint);
};

const fingerprintOf = (socket: Socket | TLSSocket): string => {
  const shown =
    "getPeerX509Certificate" in socket
      ? socket.getPeerX509Certificate()
      : undefined;
  return shown === undefined
    ? "none"
    : `sha256:${createHash("sha256").update(shown.raw).digest("hex")}`;
};
