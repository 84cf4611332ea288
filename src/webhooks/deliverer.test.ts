import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { patience } from "../kit/fixtures/patience.ts";
import { said, sessionId, turnEnded } from "./fixtures/happenings.ts";
import { Receiver } from "./fixtures/receiver.ts";
import { scene, SECRET, START } from "./fixtures/scene.ts";
import { signatureOf } from "./message/signature.ts";

const ids = (n: number, ...seqs: number[]) =>
  seqs.map((seq) => `evt_${sessionId(n)}_${seq}`);
const one = sessionId(1);

void test("[WHK-5] [WHK-7] [WHK-8] what happened is sent, signed so that the receiver can verify it", async (t) => {
  const { receiver, later, happen, delivery } = await scene(t);
  await happen(said(one, 1), turnEnded(one, 2), said(one, 3));
  await later(0);
  const [request] = receiver.received;
  assert.deepEqual(receiver.ids, ids(1, 2));
  assert.equal(request?.headers["content-type"], "application/json");
  assert.equal(request.headers["webhook-timestamp"], String(START / 1000));
  const key = Buffer.alloc(32, 7);
  const signature = signatureOf([key], request.id, START / 1000, request.body);
  assert.equal(request.headers["webhook-signature"], signature);
  const row = await delivery();
  assert.deepEqual(
    [row?.after_seq, row?.next_at, row?.last?.status],
    [2, null, 204],
  );
});

void test("[WHK-8] [WHK-9] [WHK-10] a receiver that fails gets the same event again at its times, and the next one only then", async (t) => {
  const { receiver, later, happen, delivery } = await scene(t);
  receiver.reply = () => 500;
  await happen(turnEnded(one, 1), said(one, 2), turnEnded(one, 3));
  await later(0);
  await later(4);
  assert.deepEqual(receiver.ids, ids(1, 1));
  await later(1);
  assert.deepEqual(receiver.ids, ids(1, 1, 1));
  assert.match((await delivery())?.last?.error ?? "", /500/);
  await later(299);
  assert.equal(receiver.ids.length, 2);
  receiver.reply = () => 204;
  await later(1);
  assert.deepEqual(receiver.ids, ids(1, 1, 1, 1, 3));
  assert.equal((await delivery())?.failures, 0);
});

void test("[WHK-9] after ten tries an event is passed over, which is counted, and the next one is sent", async (t) => {
  const { receiver, later, happen, delivery } = await scene(t);
  receiver.reply = ({ id }) => (id.endsWith("_1") ? 503 : 204);
  await happen(turnEnded(one, 1), turnEnded(one, 2));
  await later(0);
  for (const hours of [0.1, 1, 2, 3, 5, 10, 14, 20, 24])
    await later(hours * 3600);
  assert.deepEqual(
    receiver.ids,
    ids(1, ...Array.from({ length: 10 }, () => 1), 2),
  );
  const row = await delivery();
  assert.deepEqual([row?.passed_over, row?.next_at], [1, null]);
});

void test("[WHK-8] a redirect is not followed, and silence is a failure", async (t) => {
  const { receiver, later, happen, delivery } = await scene(t, {
    timeoutMs: patience(500),
  });
  const elsewhere = await Receiver.start(t);
  const location = elsewhere.url;
  receiver.reply = () => ({ status: 301, headers: { location } });
  await happen(turnEnded(one, 1));
  await later(0);
  assert.match((await delivery())?.last?.error ?? "", /redirect/);
  receiver.reply = () => new Promise(() => undefined);
  await later(5);
  assert.match(
    (await delivery())?.last?.error ?? "",
    /no answer came within [\d.]+ s/,
  );
  assert.deepEqual(elsewhere.received, []);
  assert.equal((await delivery())?.failures, 2);
});

void test("[WHK-9] [WHK-11] a receiver that is down for a while misses nothing and gets everything in order", async (t) => {
  const { receiver, later, happen, delivery } = await scene(t);
  await receiver.down();
  await happen(turnEnded(one, 1));
  await later(0);
  assert.match((await delivery())?.last?.error ?? "", /ECONNREFUSED/);
  await happen(turnEnded(one, 2), said(one, 3), turnEnded(one, 4));
  await later(60);
  await receiver.up();
  await later(300);
  assert.deepEqual(receiver.ids, ids(1, 1, 2, 4));
});

void test("[WHK-10] sessions do not wait for each other, and at most eight requests are under way", async (t) => {
  const { receiver, deliverer, happen, later } = await scene(t);
  const answered = Promise.withResolvers<number>();
  receiver.reply = () => answered.promise;
  for (let n = 1; n <= 12; n++)
    await happen(turnEnded(sessionId(n), 1), turnEnded(sessionId(n), 2));
  deliverer.wake();
  await receiver.count(8);
  deliverer.wake();
  answered.resolve(204);
  await deliverer.drain();
  await later(0);
  assert.equal(receiver.received.length, 24);
  for (let n = 1; n <= 12; n++)
    assert.deepEqual(
      receiver.ids.filter((id) => id.includes(sessionId(n))),
      ids(n, 1, 2),
    );
});

void test("[WHK-12] 410 switches a webhook off for good; what happened meanwhile is sent when it is on again", async (t) => {
  const { receiver, deliverer, begin, happen, later, channelTo } =
    await scene(t);
  receiver.reply = () => 410;
  await happen(turnEnded(one, 1));
  await later(0);
  const [channel] = channelTo(receiver.url);
  assert.ok(channel !== undefined);
  assert.notEqual(deliverer.offAt(channel), null);
  await happen(turnEnded(one, 2));
  await later(1e6);
  const next = await begin();
  await later(1e6, next);
  assert.equal(receiver.received.length, 1);
  receiver.reply = () => 204;
  await next.switchOn(channel);
  await next.drain();
  assert.deepEqual(receiver.ids, ids(1, 1, 1, 2));
});

void test("[WHK-12] with another address in the settings it is on", async (t) => {
  const { receiver, deliverer, channelTo, happen, later } = await scene(t);
  receiver.reply = () => 410;
  await happen(turnEnded(one, 1));
  await later(0);
  receiver.reply = () => 204;
  await deliverer.serve(channelTo(`${receiver.url}/other`));
  await deliverer.drain();
  assert.equal(receiver.received.at(-1)?.path, "/hook/other");
});

void test("[WHK-11] a server that died after the answer and before it was recorded sends the same event again", async (t) => {
  const { receiver, store, begin, deliverer, happen } = await scene(t, {
    troubleMs: 60_000,
  });
  const record = store.recordDelivery;
  store.recordDelivery = () => Promise.reject(new Error("killed"));
  await happen(turnEnded(one, 1));
  deliverer.wake();
  await receiver.count(1);
  await deliverer.close();
  store.recordDelivery = record;
  const next = await begin();
  await next.drain();
  assert.deepEqual(receiver.ids, ids(1, 1, 1));
  assert.equal(receiver.received[0]?.body, receiver.received[1]?.body);
});

void test("[WHK-13] a start reads no session when nothing waits, and a channel that is removed is forgotten", async (t) => {
  const { store, begin, deliverer, happen, later, receiver, delivery } =
    await scene(t);
  for (let n = 1; n <= 20; n++) await happen(turnEnded(sessionId(n), 1));
  await later(0);
  assert.equal(receiver.received.length, 20);
  const asked: string[] = [];
  const refuse = (name: string) => (): Promise<never> => {
    asked.push(name);
    return Promise.reject(new Error("nobody is to ask"));
  };
  store.events = refuse("events");
  store.session = refuse("session");
  store.load = refuse("load");
  store.nextEventOf = refuse("nextEventOf");
  await (await begin()).drain();
  assert.deepEqual(asked, []);
  await deliverer.serve([]);
  assert.equal(await delivery(), undefined);
});

void test("[WHK-3] [WHK-8] a secret file that others can read is not used, and nothing tells what is in it", async (t) => {
  const { home, receiver, happen, later, delivery, channelTo } = await scene(t);
  await chmod(join(home, "secret"), 0o644);
  await happen(turnEnded(one, 1));
  await later(0);
  const error = (await delivery())?.last?.error ?? "";
  assert.match(error, /can be read by others \(mode 0644\).*chmod 600/);
  assert.ok(!error.includes(SECRET));
  assert.equal(await channelTo(receiver.url)[0]?.problem(), error);
  await chmod(join(home, "secret"), 0o600);
  await writeFile(join(home, "secret"), "hunter2");
  await later(5);
  const second = (await delivery())?.last?.error ?? "";
  assert.match(second, /holds no secret/);
  assert.ok(!second.includes("hunter2"));
  assert.deepEqual(receiver.received, []);
});

void test("[WHK-14] what cannot be read is passed over, and the session goes on with what comes", async (t) => {
  const { store, receiver, happen, later, delivery } = await scene(t);
  const { RepriseError } = await import("../contract/problem/problem.ts");
  const { events } = store;
  store.events = () =>
    Promise.reject(
      new RepriseError("session_damaged", "Damaged from event 1."),
    );
  await happen(turnEnded(one, 1));
  await later(0);
  assert.equal((await delivery())?.passed_over, 1);
  store.events = events;
  await happen(turnEnded(one, 2));
  await later(0);
  assert.deepEqual(receiver.ids, ids(1, 2));
});
