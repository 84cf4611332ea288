import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { reasonOf } from "../../client/unreachable-server.ts";
import type { Collected } from "../../contract/api/checkpoint-route.ts";
import { fakeServer } from "../fixtures/fake-server.ts";
import { memoryWorld } from "../fixtures/memory-world.ts";
import { SESSION, sampleSession } from "../fixtures/sample.ts";
import { main } from "../main.ts";
import { fetchWithoutTimeout } from "../../local/fetch-without-timeout.ts";

/** Where Node keeps what its `fetch` sends requests with. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/** Lets Node's own `fetch` give up after `ms` without a byte instead of five minutes. */
const shortenFetch = async (t: TestContext, ms: number): Promise<void> => {
  // It is made with the first request.
  await fetch("data:,").then((response) => response.text());
  const own: unknown = Reflect.get(globalThis, DISPATCHER);
  assert.ok(typeof own === "object" && own !== null);
  const limits = { headersTimeout: ms, bodyTimeout: ms };
  Reflect.set(
    globalThis,
    DISPATCHER,
    Reflect.construct(own.constructor as new () => object, [limits]),
  );
  t.after(() => Reflect.set(globalThis, DISPATCHER, own));
};

/** Resolves when Node's own `fetch` has given up: whatever began before it and has the same limit has, too. */
const fetchGaveUp = (url: string): Promise<void> =>
  assert.rejects(fetch(new URL("/api/sessions/never", url)), (error) => {
    assert.ok(error instanceof TypeError && error.cause instanceof Error);
    return error.cause.name === "HeadersTimeoutError";
  });

const elsewhere = (url: string) =>
  memoryWorld({ env: { REPRISE_TOKEN: "secret", REPRISE_URL: url } });

const NOTHING: Collected = {
  dry_run: false,
  ended: [],
  deleted: [],
  purged: [],
  freed_bytes: 0,
  kept_bytes: 0,
};

test("[API-158] a command waits for a long operation beyond the limit of Node's fetch", async (t) => {
  await shortenFetch(t, 50);
  const { url } = await fakeServer(t, {
    health: () => ({ status: "ok", version: "1.2.3" }),
    collectGarbage: async () => {
      await fetchGaveUp(url);
      return NOTHING;
    },
    showSession: () => new Promise<never>(() => undefined),
    showDiskUse: () => ({ sessions: [], total_bytes: 0 }),
  });
  const { world, out, err } = elsewhere(url);
  assert.equal(await main(["gc"], world), 0, err());
  assert.match(out(), /0 B freed/);
});

test("[API-158] the pieces of an answer may come as late as they like", async (t) => {
  await shortenFetch(t, 50);
  const { url } = await fakeServer(t, {
    showSession: () => new Promise<never>(() => undefined),
    exportSession: () =>
      Readable.from(
        (async function* () {
          yield "one ";
          await fetchGaveUp(url);
          yield "two";
        })(),
      ),
  });
  const path = `/api/sessions/${SESSION}/export`;
  const response = await fetchWithoutTimeout(new URL(path, url));
  assert.equal(await response.text(), "one two");
});

test("[API-158] it sends and tells what fetch does: a file with its length, a refusal, why nobody answers", async (t) => {
  const { url, asked, close } = await fakeServer(t, {
    importSession: () => sampleSession(),
  });
  const imported = await fetchWithoutTimeout(
    new URL("/api/sessions/import", url),
    {
      method: "POST",
      body: new Blob(["a ", "file"]),
    },
  );
  assert.equal(imported.status, 201);
  assert.equal(asked[0]?.body, "a file");
  const nothing = await fetchWithoutTimeout(new URL("/nothing", url));
  assert.equal(nothing.status, 404);
  assert.match(await nothing.text(), /not_found/);
  close();
  await assert.rejects(fetchWithoutTimeout(url), (error: unknown) => {
    assert.match(reasonOf(error), /ECONNREFUSED/);
    return true;
  });
});

test("[API-158] an answer counts although the request was not read to its end", async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(413, { "content-type": "text/plain" });
    response.end("too much");
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const response = await fetchWithoutTimeout(
    `http://127.0.0.1:${address.port}/`,
    {
      method: "POST",
      body: new Blob([new Uint8Array(8 << 20)]),
    },
  );
  assert.equal(response.status, 413);
  assert.equal(await response.text(), "too much");
});

test("[API-158] who calls a request off gets no answer", async (t) => {
  const { url } = await fakeServer(t, {
    health: () => new Promise<never>(() => undefined),
  });
  const calling = new AbortController();
  const asked = fetchWithoutTimeout(new URL("/health", url), {
    signal: calling.signal,
  });
  calling.abort();
  await assert.rejects(asked, { message: "fetch failed" });
});
