/** Receivers and stores that misbehave, and channels that go while something is under way. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { patience } from "../kit/fixtures/patience.ts";
import { until } from "../kit/fixtures/patience.ts";
import { said, sessionId, turnEnded } from "./fixtures/happenings.ts";
import { scene } from "./fixtures/scene.ts";

const one = sessionId(1);
const ids = (n: number, ...seqs: number[]) =>
  seqs.map((seq) => `evt_${sessionId(n)}_${seq}`);

/** Speaks raw bytes after the head of each request has come. */
const rawReceiver = async (
  t: TestContext,
  answer: (socket: Socket) => void,
): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}/`;
};

void test("[WHK-8] an answer whose body never ends, or breaks off, counts by its status", async (t) => {
  const { deliverer, channelTo, happen, delivery, later } = await scene(t);
  const endless = await rawReceiver(t, (socket) =>
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\nx"),
  );
  await deliverer.serve(channelTo(endless));
  await happen(turnEnded(one, 1));
  await later(0);
  assert.deepEqual((await delivery())?.last?.outcome, "delivered");
  const broken = await rawReceiver(t, (socket) =>
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\nx"),
  );
  await deliverer.serve(channelTo(broken));
  await happen(turnEnded(one, 2));
  await later(0);
  assert.equal((await delivery())?.after_seq, 2);
});

void test("[WHK-8] a head that comes byte by byte without end, one that breaks off and one that is no HTTP are failures", async (t) => {
  const { deliverer, channelTo, happen, delivery, later } = await scene(t, {
    timeoutMs: patience(1000),
  });
  await happen(turnEnded(one, 1));
  let pauses = 0;
  for (const [words, answer] of [
    [
      /no answer came within/,
      (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const drip = setInterval(() => socket.write("x: y\r\n"), 20);
        socket.on("close", () => clearInterval(drip));
      },
    ],
    [/broke off/, (socket: Socket) => socket.end("HTTP/1.1 200")],
    [/request failed/, (socket: Socket) => socket.end("hello\r\n\r\n")],
  ] as const) {
    await deliverer.serve(channelTo(await rawReceiver(t, answer)));
    await later(pauses);
    const found = await delivery();
    assert.equal(found?.after_seq, 0);
    assert.match(found.last?.error ?? "", words);
    pauses += 3600;
  }
});

void test("[WHK-10] [WHK-11] a burst of 1,000 events arrives whole, in order, and each once", async (t) => {
  const { receiver, deliverer, happen } = await scene(t);
  const sessions = Array.from({ length: 10 }, (_, n) => n + 1);
  const seqs = Array.from({ length: 100 }, (_, seq) => seq + 1);
  for (const seq of seqs)
    for (const n of sessions) {
      await happen(turnEnded(sessionId(n), seq));
      deliverer.wake();
    }
  await deliverer.drain();
  assert.equal(receiver.received.length, 1000);
  for (const n of sessions)
    assert.deepEqual(
      receiver.ids.filter((id) => id.includes(sessionId(n))),
      ids(n, ...seqs),
    );
});

void test("[WHK-25] a channel that is removed breaks off what is under way, and one of the same name begins anew behind it", async (t) => {
  const { receiver, deliverer, channelTo, happen, later, delivery } =
    await scene(t);
  receiver.reply = () => new Promise(() => undefined);
  await happen(turnEnded(one, 1));
  deliverer.wake();
  await receiver.count(1);
  await deliverer.serve([]);
  assert.equal(await delivery(), undefined);
  receiver.reply = () => 204;
  await deliverer.serve(channelTo(receiver.url));
  await happen(turnEnded(one, 2));
  await later(0);
  assert.deepEqual(receiver.ids, ids(1, 1, 2));
  assert.equal((await delivery())?.after_seq, 2);
});

void test("[WHK-25] a server that closes waits for channels that were removed just before", async (t) => {
  const { receiver, deliverer, happen } = await scene(t);
  receiver.reply = () => new Promise(() => undefined);
  await happen(turnEnded(one, 1));
  deliverer.wake();
  await receiver.count(1);
  const removed = deliverer.serve([]);
  await deliverer.close();
  await removed;
});

void test("[WHK-26] where an outcome cannot be recorded, nothing is sent again before the pause is over, whoever wakes it", async (t) => {
  const { receiver, store, deliverer, happen, pauses } = await scene(t, {
    troubleMs: 1e6,
  });
  store.recordDelivery = () => Promise.reject(new Error("no database"));
  await happen(turnEnded(one, 1), said(one, 2));
  deliverer.wake();
  await until(() => pauses() === 1);
  for (let n = 0; n < 20; n++) {
    deliverer.wake();
    await deliverer.drain();
  }
  assert.deepEqual(receiver.ids, ids(1, 1));
});

void test("[WHK-26] after the pause it goes on by itself, also when something else is due much later", async (t) => {
  const { receiver, store, deliverer, happen, later } = await scene(t, {
    troubleMs: 1,
  });
  receiver.reply = () => ({ status: 503, headers: { "retry-after": "9999" } });
  await happen(turnEnded(sessionId(2), 1));
  await later(0);
  receiver.reply = () => 204;
  const record = store.recordDelivery;
  store.recordDelivery = (...given) => {
    store.recordDelivery = record;
    return Promise.reject(new Error(`no database for ${given.length}`));
  };
  await happen(turnEnded(one, 1));
  deliverer.wake();
  await receiver.count(3);
  await deliverer.drain();
  assert.deepEqual(receiver.ids, [...ids(2, 1), ...ids(1, 1, 1)]);
});
