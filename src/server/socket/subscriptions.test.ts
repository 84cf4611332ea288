import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { connectClient } from "../fixtures/fake-client.ts";
import { brokenFeed } from "../fixtures/fake-operations.ts";
import { listenFakeSite } from "../fixtures/fake-site.ts";

test("[API-54] [API-206] [P2] the answer comes first, then what is stored, then what happens", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  site.house.addEvents(id, 250);
  const params = { session_id: id, after: 5 };
  client.send({ id: 1, method: "session.subscribe", params });
  await client.until(() => client.seqs().length === 245);
  site.house.addEvents(id, 3);
  await client.until(() => client.seqs().length === 248);
  const result = { ...params, last_seq: 250 };
  assert.deepEqual(client.received[0], { id: 1, result });
  assert.deepEqual(
    client.seqs(),
    Array.from({ length: 248 }, (_, i) => i + 6),
  );
});

test("[API-54] two clients on two sessions of one task each see only their own", async () => {
  await using site = await listenFakeSite();
  const task = site.house.addTask();
  const sessions = [1, 2].map(() => site.house.addSession(task.id).id);
  const clients = await Promise.all(sessions.map(() => connectClient(site)));
  for (const [i, client] of clients.entries())
    await client.call("session.subscribe", {
      session_id: sessions[i],
      task_id: task.id,
    });
  for (let round = 0; round < 10; round++)
    for (const id of sessions) site.house.addEvents(id, 3);
  for (const [i, client] of clients.entries()) {
    await client.until(() => client.seqs().length === 30);
    assert.equal(client.seqs(sessions[i]).length, 30);
  }
});

test("[API-54] an unknown session cannot be followed", async () => {
  await using site = await listenFakeSite();
  await using other = await listenFakeSite();
  const client = await connectClient(site);
  const { error } = await client.call("session.subscribe", {
    session_id: other.house.addSession().id,
  });
  assert.equal(error?.code, "session_not_found");
});

test("[API-47] a cursor beyond the newest event cannot be followed from", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  site.house.addEvents(id, 3);
  const { error } = await client.call("session.subscribe", {
    session_id: id,
    after: 4,
  });
  assert.equal(error?.code, "invalid_request");
  assert.match(error.message, /is number 3\b/);
  assert.equal(site.house.openFeeds, 0);
});

test("[API-55] subscribing again replaces: events come once, from the new cursor", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  site.house.addEvents(id, 3);
  const params = { session_id: id, after: 0 };
  await client.call("session.subscribe", params);
  await client.until(() => client.seqs().length === 3);
  await client.call("session.subscribe", { ...params, after: 2 });
  site.house.addEvents(id, 2);
  await client.until(() => client.seqs().at(-1) === 5);
  assert.deepEqual(client.seqs(), [1, 2, 3, 3, 4, 5]);
  assert.equal(site.house.openFeeds, 1);
});

test("[API-56] after unsubscribing no event of that session arrives", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const [one, two] = [site.house.addSession().id, site.house.addSession().id];
  await client.call("session.subscribe", { session_id: one });
  await client.call("session.subscribe", { session_id: two });
  await client.call("session.unsubscribe", { session_id: one });
  site.house.addEvents(one, 5);
  site.house.addEvents(two, 5);
  await client.until(() => client.seqs(two).length === 5);
  assert.deepEqual(client.seqs(one), []);
});

test("[API-57] a client that does not read stops the fetching, and gets everything once it reads", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  await client.call("session.subscribe", { session_id: id });
  client.ws.pause();
  site.house.addEvents(id, 100_000);
  // Another client is served meanwhile, long enough for the first to be stuck.
  const other = await connectClient(site);
  for (let i = 0, last = -1; last !== site.house.fetched || i < 50; i++) {
    last = site.house.fetched;
    await other.call("task.session.status", { session_id: id });
  }
  assert.ok(site.house.fetched < 500, `${site.house.fetched} of 1000 batches`);
  client.ws.resume();
  await client.until((received) => received.length > 100_000);
  assert.deepEqual(
    client.seqs(),
    Array.from({ length: 100_000 }, (_, i) => i + 1),
  );
});

test("[API-57] the feeds of a client that goes are let go, even while it does not read", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  site.house.addEvents(id, 100_000);
  await client.call("session.subscribe", { session_id: id });
  client.ws.pause();
  client.ws.terminate();
  await site.house.allFeedsClosed();
});

test("[API-61] a feed that breaks closes the connection, so that the client comes back", async () => {
  await using site = await listenFakeSite({ follow: brokenFeed });
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  client.send({
    id: 1,
    method: "session.subscribe",
    params: { session_id: id },
  });
  assert.equal((await once(client.ws, "close"))[0], 1011);
  assert.equal(site.log.lines.at(-1)?.facts["session_id"], id);
});
