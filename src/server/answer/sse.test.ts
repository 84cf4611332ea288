import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "node:net";
import { brokenFeed, createFakeHouse } from "../fixtures/fake-operations.ts";
import {
  createFakeSite,
  HOST,
  listenFakeSite,
  problemIn,
  TOKEN,
} from "../fixtures/fake-site.ts";
import { eventStream } from "./sse.ts";

/** The messages of a stream as they come. */
async function* messages(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Record<string, string>> {
  assert.ok(body);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      yield Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trim()];
        }),
      );
    }
  }
}

const take = async (
  stream: AsyncGenerator<Record<string, string>>,
  n: number,
): Promise<number[]> => {
  const seqs: number[] = [];
  while (seqs.length < n) {
    const { value } = await stream.next();
    if (value?.["id"] !== undefined) seqs.push(Number(value["id"]));
  }
  return seqs;
};

test("[API-40] an event is a message with its seq and one line of JSON", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const [event] = house.addEvents(id, 1);
  const answer = await ask(`/api/sessions/${id}/stream`);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
  const stream = messages(answer.body);
  assert.deepEqual((await stream.next()).value, { retry: "1000" });
  const { value } = await stream.next();
  assert.deepEqual(Object.keys(value ?? {}), ["id", "data"]);
  assert.equal(value?.["id"], "1");
  assert.deepEqual(JSON.parse(value["data"] ?? ""), event);
  await stream.return(undefined);
});

test("[API-41] [P2] what is stored comes first, then what happens, from the cursor on", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  house.addEvents(id, 250);
  const answer = await ask(`/api/sessions/${id}/stream?after=10`);
  const stream = messages(answer.body);
  const seen = await take(stream, 240);
  house.addEvents(id, 3);
  seen.push(...(await take(stream, 3)));
  assert.deepEqual(
    seen,
    Array.from({ length: 243 }, (_, i) => i + 11),
  );
  await stream.return(undefined);
});

test("[API-41] Last-Event-ID wins over ?after, as a browser that reconnects needs it", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  house.addEvents(id, 5);
  const from = async (lastEventId: string) => {
    const answer = await ask(`/api/sessions/${id}/stream?after=1`, {
      headers: { "last-event-id": lastEventId },
    });
    if (answer.status !== 200) return answer.status;
    const stream = messages(answer.body);
    const [seq] = await take(stream, 1);
    await stream.return(undefined);
    return seq;
  };
  assert.equal(await from("3"), 4);
  assert.equal(await from(""), 2);
  assert.equal(await from("x"), 400);
});

test("[API-42] an unknown session is a 404, not a stream", async () => {
  const { ask } = createFakeSite();
  const id = createFakeHouse().addSession().id;
  assert.equal((await ask(`/api/sessions/${id}/stream`)).status, 404);
});

test("[API-47] a cursor beyond the newest event is refused, with that event's number", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  house.addEvents(id, 3);
  const stream = `/api/sessions/${id}/stream`;
  for (const answer of [
    await ask(`${stream}?after=4`),
    await ask(stream, { headers: { "last-event-id": "4" } }),
  ]) {
    const { code, detail } = await problemIn(answer);
    assert.equal(code, "invalid_request");
    assert.match(detail, /newest event of ses_\w+ is number 3\b/);
  }
  assert.equal(house.openFeeds, 0);
  const page = await ask(`/api/sessions/${id}/events?after=4`);
  assert.deepEqual(await page.json(), { events: [], next: null });
});

test("[API-47] [P2] an event that was read before its writer heard of the commit can be followed from", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  house.addEvents(id, 3);
  house.hideNewest(id);
  const answer = await ask(`/api/sessions/${id}/stream?after=3`);
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
});

test("[API-43] nothing is fetched that the reader has not asked for", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  house.addEvents(id, 1000);
  const answer = await ask(`/api/sessions/${id}/stream`);
  assert.equal(house.fetched, 0);
  const reader = answer.body?.getReader();
  await reader?.read(); // the hint
  await reader?.read();
  await reader?.read();
  assert.equal(house.fetched, 2);
  await reader?.cancel();
  await house.allFeedsClosed();
});

test("[API-43] a client on the wire that does not read stops the fetching", async () => {
  await using site = await listenFakeSite();
  const { id } = site.house.addSession();
  site.house.addEvents(id, 100_000);
  const socket = connect(site.port, "127.0.0.1");
  socket.pause();
  const host = `127.0.0.1:${site.port}`;
  socket.write(
    `GET /api/sessions/${id}/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
  );
  await settled(() => site.house.fetched);
  assert.ok(site.house.fetched < 500, `${site.house.fetched} of 1000 batches`);
  socket.destroy();
  await site.house.allFeedsClosed();
});

test("[API-44] silence is filled with comments", async () => {
  const house = createFakeHouse();
  const { id } = house.addSession();
  const stop = new AbortController();
  const stream = messages(
    eventStream({
      follow: (signal) => house.operations.follow(id, 0, signal),
      jsonOf: JSON.stringify,
      until: [stop.signal],
      heartbeatMs: 1,
      failed: assert.fail,
    }),
  );
  await stream.next();
  assert.deepEqual((await stream.next()).value, { "": "still here" });
  assert.deepEqual((await stream.next()).value, { "": "still here" });
  house.addEvents(id, 1);
  assert.deepEqual(await take(stream, 1), [1]);
  stop.abort();
  while (!(await stream.next()).done);
  await house.allFeedsClosed();
});

test("[API-45] the stream ends when the server stops, and lets its feed go", async () => {
  const { ask, house, closing } = createFakeSite();
  const { id } = house.addSession();
  const stream = messages((await ask(`/api/sessions/${id}/stream`)).body);
  await stream.next();
  const end = stream.next();
  closing.abort();
  assert.equal((await end).done, true);
  await house.allFeedsClosed();
});

test("[API-45] the feed is let go when the client goes", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const stream = messages((await ask(`/api/sessions/${id}/stream`)).body);
  await stream.next();
  house.addEvents(id, 1);
  await take(stream, 1);
  assert.equal(house.openFeeds, 1);
  await stream.return(undefined);
  await house.allFeedsClosed();
});

test("[API-45] the feed is let go when the client on the wire goes", async () => {
  await using site = await listenFakeSite();
  const { id } = site.house.addSession();
  site.house.addEvents(id, 1);
  const gone = new AbortController();
  const answer = await fetch(`${site.url}/api/sessions/${id}/stream`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: gone.signal,
  });
  await take(messages(answer.body), 1);
  gone.abort();
  await site.house.allFeedsClosed();
});

test("[API-45] a feed that breaks ends the stream and is logged; the words stay inside", async () => {
  const { ask, house, log } = createFakeSite({ follow: brokenFeed });
  const { id } = house.addSession();
  const answer = await ask(`/api/sessions/${id}/stream`);
  assert.doesNotMatch(await answer.text(), /secret/);
  assert.equal(log.lines[0]?.facts["session_id"], id);
});

test("[API-45] HEAD opens no feed", async () => {
  const { app, house } = createFakeSite();
  const { id } = house.addSession();
  const answer = await app.request(`/api/sessions/${id}/stream`, {
    method: "HEAD",
    headers: { host: HOST, authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(answer.status, 200);
  assert.equal(house.openFeeds, 0);
});

test("[API-46] an event is serialised once for all its followers", async () => {
  const { ask, house } = createFakeSite();
  const { id } = house.addSession();
  const [event] = house.addEvents(id, 1);
  let serialised = 0;
  Object.defineProperty(event, "toJSON", {
    value() {
      serialised += 1;
      return { seq: 1 };
    },
  });
  for (let i = 0; i < 5; i++) {
    const stream = messages((await ask(`/api/sessions/${id}/stream`)).body);
    assert.deepEqual(await take(stream, 1), [1]);
    await stream.return(undefined);
  }
  assert.equal(serialised, 1);
});

/** Waits until a number has stopped changing for fifty turns of the event loop in a row. */
const settled = async (read: () => number): Promise<void> => {
  for (let calm = 0, last = read(); calm < 50 || last === 0;) {
    await new Promise((resolve) => setImmediate(resolve));
    calm = read() === last ? calm + 1 : 0;
    last = read();
  }
};
