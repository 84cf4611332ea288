/** Clients that ask and do not read: what waits for them is bounded, and after a while they are cut off. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { Session } from "../../contract/session/session.ts";
import { connectClient } from "../fixtures/fake-client.ts";
import { createFakeHouse } from "../fixtures/fake-operations.ts";
import {
  listenFakeSite,
  type ListeningSite,
  TOKEN,
} from "../fixtures/fake-site.ts";

const REQUESTS = 400;
const ANSWER = 1024 * 1024;
/** What the kernel holds for both ends of a connection on this machine, and a few answers more. */
const MAX_ANSWERS = 40;

/** Answers of about a mebibyte, counted as they are made. */
const largeAnswers = () => {
  const session = {
    ...createFakeHouse().addSession(),
    name: "x".repeat(ANSWER),
  };
  const made = { count: 0 };
  const listSessions = async () => {
    made.count += 1;
    return { sessions: [session], next: null };
  };
  return { made, listSessions };
};

/** Serves another client until nothing more happens for the first. */
const untilStuck = async (
  site: ListeningSite,
  progress: () => number,
): Promise<void> => {
  const { id } = site.house.addSession();
  const other = await connectClient(site);
  for (let calm = 0, last = -1; calm < 200;) {
    calm = progress() === last ? calm + 1 : 0;
    last = progress();
    await other.call("task.session.status", { session_id: id });
  }
  other.ws.terminate();
};

test("[API-111] a WebSocket client that does not read its answers is answered no further, and gets all of them once it reads", async () => {
  const { made, listSessions } = largeAnswers();
  await using site = await listenFakeSite({ listSessions });
  const client = await connectClient(site);
  const task_id = site.house.addTask().id;
  client.ws.pause();
  for (let id = 0; id < REQUESTS; id++)
    client.send({ id, method: "task.session.list", params: { task_id } });
  await untilStuck(site, () => made.count);
  assert.ok(made.count < MAX_ANSWERS, `${made.count} answers were made`);
  client.ws.resume();
  await client.until(({ length }) => length === REQUESTS);
  assert.deepEqual(
    client.received.map(({ id }) => id),
    Array.from({ length: REQUESTS }, (_, id) => id),
  );
});

test("[API-111] large requests of a client that does not read are not taken into memory", async () => {
  const { made, listSessions } = largeAnswers();
  await using site = await listenFakeSite({ listSessions });
  const client = await connectClient(site);
  const task_id = site.house.addTask().id;
  client.ws.pause();
  for (let id = 0; id < MAX_ANSWERS; id++)
    client.send({ id, method: "task.session.list", params: { task_id } });
  await untilStuck(site, () => made.count);
  for (let id = 0; id < 64; id++)
    client.send({ id, method: "x".repeat(1024 * 1024), params: {} });
  await untilStuck(site, () => client.ws.bufferedAmount);
  assert.ok(client.ws.bufferedAmount > 32 * 1024 * 1024);
});

test("[API-112] a WebSocket client that takes nothing is cut off; one whose request takes long is not", async () => {
  const resumed = Promise.withResolvers<Session>();
  await using site = await listenFakeSite(
    { resumeSession: () => resumed.promise },
    { stalledMs: 200 },
  );
  const { id } = site.house.addSession();
  const patient = await connectClient(site);
  const answered = patient.call("task.session.resume", { session_id: id });
  const client = await connectClient(site);
  await client.call("session.subscribe", { session_id: id });
  client.ws.pause();
  // More than a kernel holds for both ends, however far it lets them grow.
  site.house.addEvents(id, 2000, "x".repeat(64 * 1024));
  await site.house.allFeedsClosed();
  resumed.resolve(site.house.addSession());
  assert.notEqual((await answered).result, undefined);
});

/** A client of plain HTTP that sends and does not read. */
const open = async (
  site: ListeningSite,
  ...paths: string[]
): Promise<Socket> => {
  const socket = connect(site.port, "127.0.0.1");
  socket.pause();
  await once(socket, "connect");
  for (const path of paths)
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
  return socket;
};

test("[API-111] requests that are sent ahead on one connection are worked on one after the other", async () => {
  const { made, listSessions } = largeAnswers();
  await using site = await listenFakeSite({ listSessions });
  const paths = Array.from({ length: 100 }, () => "/api/sessions");
  const socket = await open(site, ...paths, "/health");
  await untilStuck(site, () => made.count);
  assert.ok(made.count < MAX_ANSWERS, `${made.count} answers were made`);
  let bytes = 0;
  let tail = "";
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    tail = (tail + chunk.toString("latin1")).slice(-1000);
  });
  socket.resume();
  await untilTrue(() => tail.includes('"status":"ok"'));
  assert.equal(made.count, 100);
  assert.ok(bytes > 100 * ANSWER);
  socket.destroy();
});

test("[API-111] requests of a client that does not read are not read either, however small they are", async () => {
  const { made, listSessions } = largeAnswers();
  await using site = await listenFakeSite({ listSessions });
  const { port } = site;
  const one = `GET /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  const socket = await open(site);
  const sent = one.repeat(Math.ceil((64 * 1024 * 1024) / one.length));
  socket.write(sent);
  await untilStuck(site, () => made.count - socket.writableLength);
  assert.ok(made.count < MAX_ANSWERS, `${made.count} answers were made`);
  assert.equal(socket.writableLength, sent.length, "most of it did not leave");
  socket.destroy();
});

const patience = {
  headers: 10_000,
  request: 10_000,
  idle: 10_000,
  check: 1000,
  stalled: 200,
};

test("[API-112] a stream, a download and an answer that nobody takes are cut off and let go", async () => {
  const { listSessions } = largeAnswers();
  const file = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024));
    },
  });
  await using site = await listenFakeSite(
    {
      listSessions,
      exportSession: async () => ({ bytes: 1024 ** 3, content: file }),
    },
    { patience },
  );
  const { id } = site.house.addSession();
  site.house.addEvents(id, 100_000);
  const let_go = new Promise((resolve) => file.once("close", resolve));
  const stuck = await Promise.all([
    open(site, `/api/sessions/${id}/stream`),
    open(site, `/api/sessions/${id}/export`),
    open(site, ...Array.from({ length: 50 }, () => "/api/sessions")),
  ]);
  await untilTrue(() => site.house.fetched > 0);
  await site.house.allFeedsClosed();
  await let_go;
  for (const socket of stuck) {
    socket.on("error", () => undefined);
    socket.resume();
    await once(socket, "close");
  }
});

test("[API-112] an answer may take longer than that to be made", async () => {
  const resumed = Promise.withResolvers<Session>();
  await using site = await listenFakeSite(
    { resumeSession: () => resumed.promise },
    { patience },
  );
  const { id } = site.house.addSession();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answered = fetch(`${site.url}/api/sessions/${id}/resume`, {
    method: "POST",
    headers,
  });
  // One that takes nothing is cut off twice meanwhile.
  for (let n = 0; n < 2; n++) {
    site.house.addEvents(id, 50_000);
    const socket = await open(site, `/api/sessions/${id}/stream`);
    await untilTrue(() => site.house.openFeeds > 0);
    await site.house.allFeedsClosed();
    socket.destroy();
  }
  resumed.resolve(site.house.addSession());
  assert.equal((await answered).status, 200);
});

const untilTrue = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(setImmediate);
};
