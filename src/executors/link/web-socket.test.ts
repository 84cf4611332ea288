import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { keepAlive } from "./web-socket.ts";

test("a peer that answers no ping is cut off", async (t) => {
  const { socket } = await open(t, { autoPong: false });
  keepAlive(socket, 10);
  const [code] = await once(socket, "close");
  // 1006: without a closing handshake, which a frozen peer would not answer either.
  assert.equal(code, 1006);
});

test("a peer that answers is kept", async (t) => {
  const { socket, peer } = await open(t, {});
  let pings = 0;
  const manyPings = new Promise<void>((resolve) =>
    peer.on("ping", () => {
      if (++pings === 5) resolve();
    }),
  );
  keepAlive(socket, 50);
  await manyPings;
  assert.equal(socket.readyState, WebSocket.OPEN);
});

const open = async (t: TestContext, options: { autoPong?: boolean }) => {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    ...options,
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection = once(server, "connection");
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  t.after(() => {
    socket.terminate();
    server.close();
  });
  const [[peer]] = await Promise.all([connection, once(socket, "open")]);
  return { socket, peer: peer as WebSocket };
};
