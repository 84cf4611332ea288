import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { MAX_BODY_BYTES } from "../../contract/api/request.ts";
import type { Session } from "../../contract/session/session.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import {
  createFakeLog,
  listenFakeSite,
  type ListeningSite,
  problemIn,
  TOKEN,
} from "../fixtures/fake-site.ts";
import { listen } from "./listen.ts";

const headers = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
};

/** Sends bytes as they are and gives what comes back until the server closes. */
const raw = async (site: ListeningSite, text: string): Promise<string> => {
  const socket = connect(site.port, "127.0.0.1");
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test("[API-1] the server answers on the port it got, under its own names only", async () => {
  await using site = await listenFakeSite();
  assert.equal(site.url, `http://127.0.0.1:${site.port}`);
  assert.equal((await fetch(`${site.url}/health`)).status, 200);
  const foreign = await raw(
    site,
    "GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
  );
  assert.match(foreign, /^HTTP\/1\.1 403 /);
  assert.match(foreign, /forbidden_host/);
});

test("[API-10] an address that cannot be read is a problem too", async () => {
  await using site = await listenFakeSite();
  const answer = await raw(
    site,
    `GET /a\\b HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, /"code":"invalid_request"/);
});

test("[API-28] a raw path that climbs reaches nothing", async () => {
  await using site = await listenFakeSite();
  const answer = await raw(
    site,
    `GET /api/sessions/../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 404 /);
});

test("[API-21] a client that sends too much gets its answer, not a broken connection", async () => {
  await using site = await listenFakeSite();
  const { id } = site.house.addSession();
  const send = (size: number) =>
    fetch(`${site.url}/api/sessions/${id}/prompts`, {
      method: "POST",
      headers,
      body: JSON.stringify({ text: "x".repeat(size) }),
    });
  const refused = await send(MAX_BODY_BYTES);
  assert.equal((await problemIn(refused)).code, "body_too_large");
  assert.equal((await send(5_000_000)).status, 202);
});

test("[API-27] over a socket too, a POST needs neither a body nor a type", async () => {
  await using site = await listenFakeSite();
  const { id } = site.house.addSession();
  for (const verb of ["pause", "resume", "end", "cancel", "recover"]) {
    const answer = await raw(
      site,
      `POST /api/sessions/${id}/${verb} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 /, verb);
  }
  assert.equal(site.house.done.length, 5);
});

test("[API-20] bytes need a type, however they are announced", async () => {
  await using site = await listenFakeSite();
  const { id } = site.house.addSession();
  for (const body of [
    "Content-Length: 2\r\n\r\n{}",
    "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
  ]) {
    const answer = await raw(
      site,
      `POST /api/sessions/${id}/pause HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n${body}`,
    );
    assert.match(answer, /^HTTP\/1\.1 415 /);
  }
  assert.deepEqual(site.house.done, []);
});

test("an offer to upgrade to something else is ignored", async () => {
  await using site = await listenFakeSite();
  const answer = await raw(
    site,
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 200 /);
});

test("[API-70] who dawdles over headers or body is cut off; a long answer is not", async () => {
  const patience = {
    headers: 40,
    request: 80,
    idle: 1000,
    check: 10,
    stalled: 60_000,
  };
  await using site = await listenFakeSite({}, { patience });
  const { id } = site.house.addSession();
  const stream = await fetch(`${site.url}/api/sessions/${id}/stream`, {
    headers,
  });
  const start = `POST /api/sessions/${id}/prompts HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n`;
  const rest = `Authorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  assert.match(await raw(site, start), /^HTTP\/1\.1 408 /);
  await raw(site, start + rest);
  assert.deepEqual(site.house.done, []);
  site.house.addEvents(id, 1);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes("id: 1\n")) seen += (await reader?.read())?.value ?? "";
  await reader?.cancel();
});

test("[API-70] a file that stops coming, or that nobody wants, is cut off", async () => {
  const patience = {
    headers: 1000,
    request: 50,
    idle: 1000,
    check: 10,
    stalled: 60_000,
  };
  await using site = await listenFakeSite({}, { patience });
  const file = (token: string) =>
    `POST /api/sessions/import HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: 8\r\n\r\nx`;
  assert.equal(await raw(site, file(TOKEN)), "");
  assert.match(await raw(site, file("wrong")), /^HTTP\/1\.1 401 /);
});

test("[API-71] a port that is taken is said in a sentence", async () => {
  await using site = await listenFakeSite();
  const second = listen({
    host: "127.0.0.1",
    port: site.port,
    log: createFakeLog(),
    build: () => assert.fail("must not be reached"),
  });
  await assert.rejects(second, (error) => {
    assert.ok(error instanceof RepriseError);
    assert.equal(error.code, "cannot_start");
    assert.match(error.message, /is taken.*--port/);
    return true;
  });
});

test("[API-71] an address of another machine is said in a sentence", async () => {
  const elsewhere = listen({
    host: "192.0.2.1",
    port: 0,
    log: createFakeLog(),
    build: () => assert.fail("must not be reached"),
  });
  await assert.rejects(elsewhere, /no address of this machine/);
});

test("[API-72] stopping ends streams at once and lets a running request finish", async () => {
  const paused = Promise.withResolvers<Session>();
  const begun = Promise.withResolvers<void>();
  await using site = await listenFakeSite({
    pauseSession() {
      begun.resolve();
      return paused.promise;
    },
  });
  const session = site.house.addSession();
  const base = `${site.url}/api/sessions/${session.id}`;
  const stream = await fetch(`${base}/stream`, { headers });
  const running = fetch(`${base}/pause`, { method: "POST", headers });
  await begun.promise;
  const closed = site.close(60_000);
  assert.match(await stream.text(), /^retry/);
  await assert.rejects(fetch(`${site.url}/health`));
  paused.resolve(session);
  const answer = await running;
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("connection"), "close");
  await closed;
});

test("[API-72] a request that does not finish in time is ended", async () => {
  const begun = Promise.withResolvers<void>();
  await using site = await listenFakeSite({
    pauseSession() {
      begun.resolve();
      return new Promise(() => {});
    },
  });
  const { id } = site.house.addSession();
  const stuck = fetch(`${site.url}/api/sessions/${id}/pause`, {
    method: "POST",
    headers,
  });
  const failed = assert.rejects(stuck);
  await begun.promise;
  await site.close(10);
  await failed;
});

/** Begins to send a prompt: the server has read who asks, and waits for the rest. */
const beginPrompt = async (site: ListeningSite) => {
  const { id } = site.house.addSession();
  const socket = connect(site.port, "127.0.0.1");
  socket.write(
    `POST /api/sessions/${id}/prompts HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 15\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, "data");
  return {
    /** The rest is with the kernel when the server does not run for a while. */
    async finishWhileFrozen(ms: number): Promise<string> {
      socket.write('{"text":"late"}');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
  };
};

test("[REC-93] the rest of a request that came while the server did not run is read and answered", async () => {
  const hour = 3_600_000;
  const patience = {
    headers: hour,
    request: 50,
    idle: hour,
    check: hour,
    stalled: hour,
  };
  await using site = await listenFakeSite({}, { patience });
  const prompt = await beginPrompt(site);
  assert.match(await prompt.finishWhileFrozen(200), /^HTTP\/1\.1 202 /);
});

test("[REC-93] so it is where the server is stopping, however short its grace is", async () => {
  await using site = await listenFakeSite();
  const prompt = await beginPrompt(site);
  const closed = site.close(50);
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  assert.match(await prompt.finishWhileFrozen(200), /^HTTP\/1\.1 202 /);
  await closed;
});

test("[API-72] an idle connection does not hold up stopping, whether or not it was used", async () => {
  const hour = 3_600_000;
  const patience = {
    headers: hour,
    request: hour,
    idle: hour,
    check: hour,
    stalled: hour,
  };
  await using site = await listenFakeSite({}, { patience });
  const unused = connect(site.port, "127.0.0.1");
  await once(unused, "connect");
  const unusedGone = once(unused.resume(), "close");
  const socket = connect(site.port, "127.0.0.1");
  await once(socket, "connect");
  const gone = once(socket, "close");
  socket.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\n\r\n`);
  await once(socket, "data");
  await site.close(hour);
  await gone;
  await unusedGone;
});
