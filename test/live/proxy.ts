/** A TCP proxy before a server, which cuts connections where a test says, or falls silent. */
import { once } from "node:events";
import { createServer, connect as connectTcp, type Socket } from "node:net";
import { WebSocket } from "ws";
import * as z from "zod";
import type { Address } from "../../src/client/call.ts";
import type { SocketClass } from "../../src/client/live/socket.ts";

export interface Proxy {
  address: Address;
  /** The server knows itself by its own port only. */
  WebSocket: SocketClass;
  connections: number;
  /** After how many bytes to the client the next connection is cut. */
  cutAfter: () => number;
  /** Called whenever the server has sent something. */
  onData: () => void;
  /** From now on nothing gets through. */
  isSilent: boolean;
  /** New connections are refused. */
  isDown: boolean;
  cutAll(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export const startProxy = async (
  port: number,
  token: string,
): Promise<Proxy> => {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (proxy.isDown) return void client.destroy();
    proxy.connections += 1;
    const upstream = connectTcp(port, "127.0.0.1");
    let left = proxy.cutAfter();
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        open.delete(socket);
        cut();
      });
    }
    client.on("data", (bytes) => {
      if (!proxy.isSilent) upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      proxy.onData();
      if (proxy.isSilent) return;
      client.write(bytes.subarray(0, left), () => {
        if (left <= 0) cut();
      });
      left -= bytes.length;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = z.object({ port: z.number() }).parse(server.address()).port;
  const host = `127.0.0.1:${port}`;
  const proxy: Proxy = {
    address: {
      url: `http://127.0.0.1:${at}`,
      token,
      fetch: (input, init) =>
        fetch(
          z.instanceof(URL).parse(input).href.replace(`:${at}/`, `:${port}/`),
          init,
        ),
    },
    WebSocket: class extends WebSocket {
      constructor(url: string, protocols: string[] = []) {
        super(url, protocols, { headers: { host } });
      }
    },
    connections: 0,
    cutAfter: () => Number.POSITIVE_INFINITY,
    onData: () => undefined,
    isSilent: false,
    isDown: false,
    cutAll() {
      for (const socket of open) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      proxy.cutAll();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
};
