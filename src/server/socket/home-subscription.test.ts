import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { HomeChange } from "../../contract/api/stream-route.ts";
import { type Received, connectClient } from "../fixtures/fake-client.ts";
import { createFakeHouse } from "../fixtures/fake-operations.ts";
import { listenFakeSite } from "../fixtures/fake-site.ts";

const CHANGES = 20_000;

/** A session changes very often. It is counted how many batches of changes were fetched. */
const countingHome = () => {
  const made = { batches: 0, open: 0 };
  const session = createFakeHouse().addSession();
  async function* followHome(
    after = 0,
    signal: AbortSignal,
  ): AsyncGenerator<readonly HomeChange[]> {
    made.open += 1;
    try {
      yield [{ seq: after, type: "stream.opened" }];
      for (let seq = after + 1; seq <= CHANGES; seq += 100) {
        made.batches += 1;
        const batch = Array.from({ length: 100 }, (_, i) => seq + i);
        yield batch.map((each) => ({
          seq: each,
          type: "session.changed",
          session,
        }));
      }
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      made.open -= 1;
    }
  }
  return { made, followHome };
};

const homeSeqs = (received: readonly Received[]): number[] =>
  received.flatMap(({ home }) =>
    typeof home === "object" && home !== null && "seq" in home
      ? [Number(home.seq)]
      : [],
  );

test("[API-204] changes of the home come behind the answer, wrapped, beside the bare events of sessions", async () => {
  const { followHome } = countingHome();
  await using site = await listenFakeSite({ followHome });
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  await client.call("session.subscribe", { session_id: id });
  client.send({
    id: 7,
    method: "sessions.subscribe",
    params: { after: CHANGES - 100 },
  });
  site.house.addEvents(id, 2);
  await client.until(
    (all) => homeSeqs(all).length === 101 && client.seqs().length === 2,
  );
  const wrapped = client.received.filter(({ home }) => home !== undefined);
  assert.deepEqual(wrapped[0], {
    home: { seq: CHANGES - 100, type: "stream.opened" },
  });
  const answer = client.received.findIndex((each) => each.id === 7);
  assert.deepEqual(client.received[answer]?.result, { after: CHANGES - 100 });
  assert.ok(answer < client.received.indexOf(wrapped[0] ?? {}));
});

test("[API-204] subscribing again replaces, unsubscribing ends", async () => {
  const { made, followHome } = countingHome();
  await using site = await listenFakeSite({ followHome });
  const client = await connectClient(site);
  await client.call("sessions.subscribe", { after: CHANGES });
  await client.until((all) => homeSeqs(all).length === 1);
  await client.call("sessions.subscribe", { after: CHANGES - 100 });
  await client.until((all) => homeSeqs(all).length === 102);
  assert.equal(made.open, 1);
  await client.call("sessions.unsubscribe", {});
  assert.equal(made.open, 0);
  assert.equal(
    (await client.call("sessions.subscribe", { after: -1 })).error?.code,
    "invalid_request",
  );
});

test("[API-204] a client that does not read stops the fetching, and gets every change once it reads", async () => {
  const { made, followHome } = countingHome();
  await using site = await listenFakeSite({ followHome });
  const client = await connectClient(site);
  const { id } = site.house.addSession();
  client.ws.pause();
  client.send({ id: 1, method: "sessions.subscribe", params: { after: 0 } });
  const other = await connectClient(site);
  for (let i = 0, last = -1; last !== made.batches || i < 50; i++) {
    last = made.batches;
    await other.call("task.session.status", { session_id: id });
  }
  assert.ok(made.batches < 150, `${made.batches} of 200 batches`);
  client.ws.resume();
  await client.until((all) => all.length > CHANGES + 1);
  assert.deepEqual(
    homeSeqs(client.received),
    Array.from({ length: CHANGES + 1 }, (_, seq) => seq),
  );
  client.ws.terminate();
});

test("[API-205] a client that asks for it hears the server regularly, another does not", async () => {
  await using site = await listenFakeSite();
  const client = await connectClient(site);
  const other = await connectClient(site);
  const params = { every_ms: 1000 };
  const { result } = await client.call("connection.heartbeat", params);
  assert.deepEqual(result, params);
  const beats = () =>
    client.received.filter(({ heartbeat }) => heartbeat !== undefined);
  await client.until(() => beats().length === 2);
  assert.match(
    JSON.stringify(beats()[0]),
    /^\{"heartbeat":\{"at":"20.*Z"\}\}$/,
  );
  const { error } = await client.call("connection.heartbeat", { every_ms: 1 });
  assert.equal(error?.code, "invalid_request");
  await other.call("sessions.unsubscribe", {});
  assert.equal(other.received.length, 1);
});
