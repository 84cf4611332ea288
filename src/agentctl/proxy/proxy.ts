/**
 * A proxy for one sandbox: it lets HTTP and HTTPS through to the hosts of a list, and nothing else.
 *
 *     agent ─► relay (inside, 127.0.0.1) ─► unix socket ─► this ─► name looked up here ─► host
 *
 * A name is looked up once, and the connection goes to what was found: another answer a moment later changes nothing.
 */
import { lookup } from "node:dns/promises";
import {
  request,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { isIP } from "node:net";
import {
  type Destination,
  destinationOf,
  isPublic,
  verdictOn,
} from "./host-list.ts";

const MAX_CONNECTIONS = 256;
const CONNECT_MS = 30_000;

export interface ProxyDeps {
  hosts: readonly string[];
  /** Somebody inside asked for a host that is not let through. */
  onRefused: (destination: string) => void;
  /** One connection could not be taken. The others, and those to come, go on. */
  onError: (error: unknown) => void;
}

export const listProxy = ({ hosts, onRefused, onError }: ProxyDeps): Server => {
  const open = async (
    destination: Destination | null,
  ): Promise<string | null> => {
    const address =
      destination === null ? null : await addressOf(hosts, destination);
    if (address === null) onRefused(nameOf(destination));
    return address;
  };
  const server = createServer((asked, answer) => {
    forward(asked, answer, open).catch(() => answer.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on(
    "connect",
    (asked: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      tunnel(asked.url ?? "", socket, head, open).catch(() => socket.destroy());
    },
  );
  server.on("error", onError);
  server.on("clientError", (_, socket) => socket.destroy());
  return server;
};

type Open = (destination: Destination | null) => Promise<string | null>;

const tunnel = async (
  authority: string,
  socket: Socket,
  head: Buffer,
  open: Open,
): Promise<void> => {
  const destination = destinationOf(authority);
  const host = await open(destination);
  if (host === null || destination === null)
    return void socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${REFUSED}`,
    );
  // Whoever asked may be gone since.
  if (socket.destroyed) return;
  const far = connect({ host, port: destination.port, timeout: CONNECT_MS });
  far.once("connect", () => {
    far.setTimeout(0);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    far.write(head);
    far.pipe(socket);
    socket.pipe(far);
  });
  far.once("timeout", () => socket.destroy());
  far.on("error", () => socket.destroy());
  // A slow reader may still have to read what the host has sent: only an error cuts that off.
  socket.once("close", () => far.destroy());
};

/** Headers that are meant for us, and not for the host. */
const FOR_PROXIES =
  /^(proxy-.*|connection|keep-alive|te|trailer|upgrade|host)$/i;

const forward = async (
  asked: IncomingMessage,
  answer: ServerResponse,
  open: Open,
): Promise<void> => {
  const url = URL.parse(asked.url ?? "");
  const destination =
    url?.protocol === "http:"
      ? destinationOf(`${url.hostname}:${url.port === "" ? 80 : url.port}`)
      : null;
  const host = await open(destination);
  if (host === null || destination === null || url === null)
    return void answer
      .writeHead(403, { "content-type": "text/plain" })
      .end(REFUSED);
  if (answer.destroyed) return;
  const headers = Object.entries(asked.headers).filter(
    ([name]) => !FOR_PROXIES.test(name),
  );
  const far = request({
    host,
    port: destination.port,
    method: asked.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(headers), host: url.host },
    timeout: CONNECT_MS,
    agent: false,
  });
  far.once("response", (got) => {
    const {
      connection: _,
      "transfer-encoding": _encoding,
      ...others
    } = got.headers;
    answer.writeHead(got.statusCode ?? 502, others);
    got.pipe(answer);
    got.on("error", () => answer.destroy());
  });
  // An answer may take its time: only the connection has to be there soon.
  far.once("socket", (socket) =>
    socket.once("connect", () => far.setTimeout(0)),
  );
  far.once("timeout", () => far.destroy(new Error("nobody answers there")));
  far.on("error", () => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502).end();
  });
  answer.once("close", () => far.destroy());
  asked.pipe(far);
};

const REFUSED =
  "This host is not in the list of the session's sandbox. The hosts that are were said when the session was made.\n";

/** Where to connect to; null where that is not let through. */
const addressOf = async (
  hosts: readonly string[],
  destination: Destination,
): Promise<string | null> => {
  const { host } = destination;
  const verdict = verdictOn(hosts, destination);
  if (verdict === "refused") return null;
  if (isIP(host) !== 0) return host;
  const found = await lookup(host, { all: true }).catch(() => []);
  const usable = found.filter(
    ({ address }) => verdict === "explicit" || isPublic(address),
  );
  return usable[0]?.address ?? null;
};

const nameOf = (destination: Destination | null): string =>
  destination === null
    ? "something that is no host"
    : `${destination.host}:${destination.port}`;
