import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { WebSocket } from "ws";
import { MAX_BODY_BYTES, MAX_PROMPT_BYTES } from "../contract/request.ts";
import type { Session } from "../contract/session.ts";
import { address, connectClient, refusedUpgrade } from "./fake-client.ts";
import { brokenFeed } from "./fake-operations.ts";
import { listenFakeSite, TOKEN } from "./fake-site.ts";

const bearer = { authorization: `Bearer ${TOKEN}` };

test("[API-50] a foreign Host, Origin or site, and a missing or wrong token are refused before the upgrade", async () => {
  await using site = await listenFakeSite();
  const url = address(site);
  const refuse = async (
    headers: Record<string, string>,
    protocols?: string[],
  ) => {
    const { status, code } = await refusedUpgrade(url, { headers }, protocols);
    return `${status} ${code}`;
  };
  assert.equal(
    await refuse({ ...bearer, host: "evil.example" }),
    "403 forbidden_host",
  );
  assert.equal(
    await refuse({ ...bearer, origin: "https://evil.example" }),
    "403 forbidden_origin",
  );
  assert.equal(
    await refuse({ ...bearer, origin: "http://127.0.0.1:3000" }),
    "403 forbidden_origin",
  );
  assert.equal(
    await refuse({ ...bearer, "sec-fetch-site": "cross-site" }),
    "403 forbidden_origin",
  );
  assert.equal(await refuse({}), "401 unauthorized");
  assert.equal(
    await refuse({ authorization: "Bearer no" }),
    "401 unauthorized",
  );
  assert.equal(
    await refuse({ cookie: "reprise_token=no" }),
    "401 unauthorized",
  );
  assert.equal(await refuse({}, ["bearer.no"]), "401 unauthorized");
});

test("[API-50] the token does not count in the address, and there is only one WebSocket", async () => {
  await using site = await listenFakeSite();
  const asked = await refusedUpgrade(`${address(site)}?token=${TOKEN}`, {});
  assert.equal(asked.status, 401);
  const elsewhere = await refusedUpgrade(`ws://127.0.0.1:${site.port}/other`, {
    headers: bearer,
  });
  assert.deepEqual(elsewhere, { status: 404, code: "not_found" });
});

test("[API-51] [API-6] the token comes by header, cookie or subprotocol, which is echoed", async () => {
  await using site = await listenFakeSite();
  const opened = async (
    headers: Record<string, string>,
    protocols: string[] = [],
  ) => {
    const ws = new WebSocket(address(site), protocols, { headers });
    await once(ws, "open");
    ws.close();
    return ws.protocol;
  };
  const origin = `http://127.0.0.1:${site.port}`;
  assert.equal(await opened({ ...bearer, origin }), "");
  assert.equal(await opened({ cookie: `reprise_token=${TOKEN}` }), "");
  const name = `bearer.${TOKEN}`;
  assert.equal(await opened({ origin }, ["other", name]), name);
});

test("[API-52] frames that cannot be read get an error answer and the connection stays", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  const cases: [frame: unknown, id: unknown, code: string][] = [
    ["not json", null, "malformed_json"],
    ["", null, "malformed_json"],
    [Buffer.from("{}"), null, "unsupported_media_type"],
    ["null", null, "invalid_request"],
    ["[1]", null, "invalid_request"],
    [{ method: "session.prompt" }, null, "invalid_request"],
    [{ id: { a: 1 }, method: "x" }, null, "invalid_request"],
    [{ id: 1, method: 5 }, 1, "invalid_request"],
    [{ id: 2, method: "no.such" }, 2, "not_found"],
    [{ id: 3, method: "__proto__" }, 3, "not_found"],
    [{ id: 4, method: "session.prompt", params: [] }, 4, "invalid_request"],
    [{ id: 5, method: "session.prompt" }, 5, "invalid_request"],
    [
      { id: 6, method: "session.cancel", params: { session_id: "../x" } },
      6,
      "invalid_request",
    ],
    [
      { id: 7, method: "session.cancel", params: { session_id: id, x: 1 } },
      7,
      "invalid_request",
    ],
    [
      {
        id: 8,
        method: "session.prompt",
        params: { session_id: id, text: "\0" },
      },
      8,
      "invalid_text",
    ],
    [
      {
        id: 9,
        method: "session.prompt",
        params: { session_id: id, text: "x".repeat(MAX_PROMPT_BYTES + 1) },
      },
      9,
      "body_too_large",
    ],
    [
      {
        id: 10,
        method: "session.prompt",
        params: { session_id: id, text: "hi", idempotency_key: "two words" },
      },
      10,
      "invalid_request",
    ],
    [
      {
        id: 11,
        method: "session.permit",
        params: { session_id: id, request_id: "../", option_id: "a" },
      },
      11,
      "permission_not_found",
    ],
  ];
  for (const [frame] of cases) client.send(frame);
  await client.until((received) => received.length === cases.length);
  assert.deepEqual(
    client.received.map(({ id, error }) => [id, error?.code]),
    cases.map(([, id, code]) => [id, code]),
  );
  assert.deepEqual(site.house.done, []);
  const status = await client.call("task.session.status", { session_id: id });
  assert.equal(status.error, undefined);
});

test("[API-52] an unforeseen error shows nothing of itself", async () => {
  await using site = await listenFakeSite({
    cancelTurn: () => Promise.reject(new Error("the secret of the house")),
  });
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  const { error } = await client.call("session.cancel", { session_id: id });
  assert.equal(error?.code, "internal");
  assert.doesNotMatch(error.message, /secret/);
});

test("[API-53] requests keep their order, and a resume does not hold up those behind it", async () => {
  const resumed = Promise.withResolvers<Session>();
  await using site = await listenFakeSite({
    resumeSession: () => resumed.promise,
  });
  const client = await connectClient(site);
  const task = site.house.addTask();
  const session = site.house.addSession(task.id);
  const params = { session_id: session.id };
  client.send({ id: "resume", method: "task.session.resume", params });
  for (let i = 0; i < 20; i++)
    client.send({
      id: i,
      method: "session.prompt",
      // Every other one takes a step more.
      params: {
        ...params,
        text: `${i}`,
        ...(i % 2 === 0 ? { task_id: task.id } : {}),
      },
    });
  await client.until((received) => received.length === 20);
  assert.deepEqual(
    client.received.map(({ id }) => id),
    Array.from({ length: 20 }, (_, i) => i),
  );
  resumed.resolve(session);
  await client.until((received) => received.length === 21);
  assert.equal(client.received.at(-1)?.id, "resume");
});

test("[API-54] [P2] the answer comes first, then what is stored, then what happens", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  site.house.addEvents(id, 250);
  const params = { session_id: id, after: 5 };
  client.send({ id: 1, method: "session.subscribe", params });
  await client.until(() => client.seqs().length === 245);
  site.house.addEvents(id, 3);
  await client.until(() => client.seqs().length === 248);
  assert.deepEqual(client.received[0], { id: 1, result: params });
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

test("[API-58] where a task is given, the session must belong to it", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const [mine, other] = [site.house.addTask(), site.house.addTask()];
  const session_id = site.house.addSession(mine.id).id;
  const more: Record<string, object> = {
    "session.prompt": { text: "hi" },
    "session.permit": { request_id: "per_1_2", option_id: "a" },
  };
  for (const method of [
    "task.session.status",
    "task.session.resume",
    "session.subscribe",
    "session.unsubscribe",
    "session.prompt",
    "session.cancel",
    "session.permit",
  ]) {
    const params = { session_id, ...more[method] };
    const task_id = other.id;
    const refused = await client.call(method, { ...params, task_id });
    assert.equal(refused.error?.code, "session_not_of_task", method);
    const taken = await client.call(method, { ...params, task_id: mine.id });
    assert.equal(taken.error, undefined, method);
  }
  const listed = await client.call("task.session.list", { task_id: mine.id });
  assert.match(JSON.stringify(listed.result), new RegExp(session_id));
  assert.equal(site.house.done.length, 4);
});

test("[API-59] a client that does not answer pings is cut off, one that does is not", async () => {
  await using site = await listenFakeSite({}, { pingMs: 20 });
  const alive = await connectClient(site);
  const dead = await connectClient(site, { autoPong: false });
  await once(dead.ws, "close");
  const { id } = site.house.addSession();
  await alive.call("task.session.status", { session_id: id });
});

test("[API-60] a frame that is too large or not UTF-8 closes its connection and nothing else", async () => {
  await using site = await listenFakeSite();
  const [large, broken, other] = [
    await connectClient(site),
    await connectClient(site),
    await connectClient(site),
  ];
  large.ws.on("error", () => {});
  large.send("x".repeat(MAX_BODY_BYTES + 1));
  assert.equal((await once(large.ws, "close"))[0], 1009);
  broken.ws.send(Buffer.from([0xff, 0xfe]), { binary: false });
  assert.equal((await once(broken.ws, "close"))[0], 1007);
  const { id } = site.house.addSession();
  await other.call("task.session.status", { session_id: id });
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

test("[API-61] a server that stops says goodbye", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  await client.call("session.subscribe", { session_id: id });
  const closed = once(client.ws, "close");
  await site.close();
  assert.equal((await closed)[0], 1001);
  await site.house.allFeedsClosed();
});
