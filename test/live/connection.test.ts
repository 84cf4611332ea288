/** One WebSocket for everything: what is followed over it, where it breaks, and where it stands. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { WebSocketServer } from "ws";
import * as z from "zod";
import {
  connect,
  type Connection,
  type ConnectionState,
  ServerUnreachable,
} from "../../src/client/client.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { listenFakeSite, TOKEN } from "../../src/server/fixtures/fake-site.ts";
import { startProxy } from "./proxy.ts";

const quick = { first_ms: 1, most_ms: 4 };

const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** The numbers of items up to one. */
const take = async (
  items: AsyncIterable<{ seq: number }>,
  last: number,
): Promise<number[]> => {
  const seen: number[] = [];
  for await (const { seq } of items) {
    seen.push(seq);
    if (seq >= last) break;
  }
  return seen;
};

/** Waits until the connection stands in a certain way. */
const until = <K extends ConnectionState["kind"]>(
  connection: Connection,
  kind: K,
  fits: (state: ConnectionState & { kind: K }) => boolean = () => true,
): Promise<ConnectionState & { kind: K }> =>
  new Promise((resolve) => {
    const isKind = (
      state: ConnectionState,
    ): state is ConnectionState & { kind: K } => state.kind === kind;
    const look = (): void => {
      const { state } = connection;
      if (!isKind(state) || !fits(state)) return;
      leave();
      resolve(state);
    };
    const leave = connection.subscribe(look);
    look();
  });

test("[SDK-25] [P2] over connections that are cut at any byte, every follower gets every event once and in order", async (t) => {
  const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  let state = seed;
  const random = (): number => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const HOME = 300;
  await using site = await listenFakeSite({
    // Changes come one by one; what changed is not what this is about.
    async *followHome(after = 0, signal) {
      yield [{ seq: after, type: "stream.opened" }];
      for (let seq = after + 1; seq <= HOME; seq += 1)
        yield [{ seq, type: "stream.reset" }];
      if (!signal.aborted) await once(signal, "abort");
    },
  });
  await using proxy = await startProxy(site.port, TOKEN);
  proxy.cutAfter = () => Math.floor(random() * 9_000);
  const [one, two] = [site.house.addSession().id, site.house.addSession().id];
  site.house.addEvents(one, 300);
  site.house.addEvents(two, 100);
  const connection = connect(proxy.address).live({
    retry: quick,
    WebSocket: proxy.WebSocket,
  });
  const followed = Promise.all([
    take(connection.follow(one), 500),
    take(connection.follow(two, { after: 40 }), 200),
    take(connection.follow(one, { after: 200 }), 500),
    take(connection.followHome({ after: 0 }), HOME),
  ]);
  for (let n = 0; n < 100; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    site.house.addEvents(one, 2);
    site.house.addEvents(two, 1);
  }
  assert.deepEqual(await followed, [
    numbersFrom(1, 500),
    numbersFrom(41, 200),
    numbersFrom(201, 500),
    numbersFrom(0, HOME),
  ]);
  assert.ok(proxy.connections > 10, `${proxy.connections} connections`);
  connection.close();
});

test("[SDK-26] the state tells of a loss, the next try, and how much was caught up", async () => {
  await using site = await listenFakeSite();
  await using proxy = await startProxy(site.port, TOKEN);
  const { id } = site.house.addSession();
  site.house.addEvents(id, 3);
  const connection = connect(proxy.address).live({
    retry: { first_ms: 600_000, most_ms: 600_000 },
    WebSocket: proxy.WebSocket,
  });
  assert.equal(connection.state.kind, "opening");
  const events = connection.follow(id);
  await until(connection, "connected");
  await take(oneByOne(events), 3);
  const lostAfter = Date.now();
  proxy.isDown = true;
  proxy.cutAll();
  const away = await until(
    connection,
    "away",
    ({ next_try_at }) => next_try_at !== null,
  );
  assert.ok(away.since >= lostAfter);
  const pause = (away.next_try_at ?? 0) - Date.now();
  assert.ok(pause > 200_000 && pause <= 600_000, `${pause} ms`);
  await assert.rejects(
    connection.request("session.cancel", {}),
    ServerUnreachable,
  );
  assert.equal(connection.sendBinary(new Uint8Array(1)), false);
  site.house.addEvents(id, 5);
  connection.tryNow();
  const again = await until(
    connection,
    "away",
    (state) => state.next_try_at !== null && state !== away,
  );
  assert.equal(again.since, away.since);
  proxy.isDown = false;
  connection.tryNow();
  const back = await until(connection, "back");
  assert.equal(back.caught_up, 5);
  assert.deepEqual(await take(oneByOne(events), 8), [4, 5, 6, 7, 8]);
  connection.close();
  assert.deepEqual(connection.state, { kind: "closed" });
  assert.deepEqual(await events.next(), { done: true, value: undefined });
});

test("[SDK-27] a connection that falls silent is given up, and one that never opens", async () => {
  await using site = await listenFakeSite();
  await using proxy = await startProxy(site.port, TOKEN);
  const { id } = site.house.addSession();
  const silence_ms = Math.min(patience(3000), 15_000);
  const connection = connect(proxy.address).live({
    retry: quick,
    silence_ms,
    WebSocket: proxy.WebSocket,
  });
  const events = connection.follow(id);
  await until(connection, "connected");
  // Four signs of life, a third of that apart: a quiet connection is not a silent one.
  await new Promise<void>((resolve) => {
    let heard = 0;
    proxy.onData = () => {
      heard += 1;
      if (heard === 4) resolve();
    };
  });
  assert.deepEqual(connection.state, { kind: "connected" });
  const since = Date.now();
  proxy.isSilent = true;
  const away = await until(connection, "away");
  assert.ok(away.since - since >= silence_ms / 2, "it was given up too early");
  await until(connection, "away", ({ next_try_at }) => next_try_at !== null);
  site.house.addEvents(id, 1);
  proxy.isSilent = false;
  assert.deepEqual(await take(events, 1), [1]);
  connection.close();
});

test("[SDK-28] what is refused fails its follower only, and what may pass is asked for again", async () => {
  let troubles = 2;
  await using site = await listenFakeSite({
    requireHeard: async () => {
      if (troubles-- > 0)
        throw new RepriseError("storage_unavailable", "Not now.");
    },
  });
  await using other = await listenFakeSite();
  const url = `http://127.0.0.1:${site.port}`;
  const connection = connect({ url, token: TOKEN }).live();
  const { id } = site.house.addSession();
  site.house.addEvents(id, 2);
  assert.deepEqual(await take(connection.follow(id), 2), [1, 2]);
  assert.ok(troubles < 0);
  const wrong = connection.follow(other.house.addSession().id);
  const ahead = connection.follow(id, { after: 9 });
  await assert.rejects(wrong.next(), { code: "session_not_found" });
  await assert.rejects(ahead.next(), { code: "invalid_request" });
  assert.deepEqual(await take(connection.follow(id, { after: 1 }), 2), [2]);
  connection.close();
});

test("[SDK-28] a token that is not taken is told, and another try is up to the caller", async () => {
  await using site = await listenFakeSite();
  const address = { url: `http://127.0.0.1:${site.port}`, token: "wrong" };
  const connection = connect(address).live({ retry: quick });
  const events = connection.followHome();
  const { error } = await until(connection, "refused");
  assert.equal(error.code, "unauthorized");
  await assert.rejects(events.next(), { code: "unauthorized" });
  await assert.rejects(connection.followHome().next(), {
    code: "unauthorized",
  });
  address.token = TOKEN;
  connection.tryNow();
  await until(connection, "back");
  connection.close();
});

test("[SDK-29] followers of one session share a subscription, which ends with the last of them", async () => {
  await using site = await listenFakeSite();
  const url = `http://127.0.0.1:${site.port}`;
  const connection = connect({ url, token: TOKEN }).live();
  const { id } = site.house.addSession();
  site.house.addEvents(id, 5);
  const stop = new AbortController();
  const [late, early, now] = [4, 1, 5].map((after) =>
    connection.follow(id, { after, signal: stop.signal }),
  );
  assert.ok(late && early && now);
  assert.deepEqual(await take(oneByOne(late), 5), [5]);
  assert.deepEqual(await take(oneByOne(early), 5), [2, 3, 4, 5]);
  const first = connection.follow(id);
  assert.deepEqual(await take(first, 5), [1, 2, 3, 4, 5]);
  site.house.addEvents(id, 1);
  for (const each of [late, early, now])
    assert.deepEqual(await take(oneByOne(each), 6), [6]);
  assert.equal(site.house.openFeeds, 1);
  stop.abort();
  assert.deepEqual(await now.next(), { done: true, value: undefined });
  await site.house.allFeedsClosed();
  connection.close();
});

test("[SDK-30] requests and binary messages go over the connection that stands", async () => {
  await using site = await listenFakeSite();
  const url = `http://127.0.0.1:${site.port}`;
  const connection = connect({ url, token: TOKEN }).live();
  const { id } = site.house.addSession();
  await until(connection, "connected");
  const status = await connection.request("task.session.status", {
    session_id: id,
  });
  assert.equal(z.looseObject({}).parse(status)["session_id"], id);
  await assert.rejects(connection.request("no.such", {}), {
    code: "not_found",
  });
  connection.close();
  await assert.rejects(connection.request("x", {}), ServerUnreachable);

  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  server.on("connection", (ws) => {
    ws.on("message", (data, isBinary) => {
      if (isBinary) ws.send(data);
      else if (z.instanceof(Buffer).parse(data).includes("die")) ws.terminate();
    });
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const echoing = connect({ url: `http://127.0.0.1:${port}` }).live();
  await until(echoing, "connected");
  const echoed = new Promise<Uint8Array>((resolve) => {
    const leave = echoing.onBinary((bytes) => {
      leave();
      resolve(bytes);
    });
  });
  assert.equal(echoing.sendBinary(new Uint8Array([1, 2, 255])), true);
  assert.deepEqual(await echoed, new Uint8Array([1, 2, 255]));
  await assert.rejects(echoing.request("die", {}), ServerUnreachable);
  echoing.close();
  server.close();
  for (const client of server.clients) client.terminate();
  await once(server, "close");
});

/** The same items, for a reader that leaves and comes back. */
const oneByOne = (
  items: AsyncIterableIterator<{ seq: number }>,
): AsyncIterable<{ seq: number }> => ({
  [Symbol.asyncIterator]: () => ({ next: () => items.next() }),
});
