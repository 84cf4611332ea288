import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { onSilence, unlessSilent } from "./silence.ts";

test("[REC-12] a peer that answers no ping is noticed", async (t) => {
  const { socket } = await open(t, { autoPong: false });
  await new Promise<void>((resolve) => onSilence(socket, 20, resolve));
});

test("[REC-12] a peer that answers is kept", async (t) => {
  const { socket, peer } = await open(t, {});
  let pings = 0;
  const manyPings = new Promise<void>((resolve) =>
    peer.on("ping", () => {
      if (++pings === 5) resolve();
    }),
  );
  onSilence(socket, 50, () => assert.fail("it answered"));
  await manyPings;
});

test("[REC-12] [P4] time in which we did not run ourselves is no silence", async (t) => {
  const { socket } = await open(t, {});
  onSilence(socket, 20, () => assert.fail("it had no chance to answer"));
  const answer = Promise.withResolvers<string>();
  const outcome = unlessSilent(answer.promise, 50);
  const frozen = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(frozen, 0, 0, 200);
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  answer.resolve("here");
  assert.equal(await outcome, "here");
});

test("[REC-12] work that brings nothing in time is silent, and work that fails fails", async () => {
  assert.equal(await unlessSilent(new Promise(() => {}), 10), null);
  await assert.rejects(unlessSilent(Promise.reject(new Error("no")), 10), /no/);
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
