import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { parseAddress } from "./address.ts";
import { engineAt } from "./engine.ts";
import { lastLines } from "./log-frames.ts";
import { askEngineAt } from "./request.ts";

/** A program that answers where an engine is expected. */
const answering = async (
  t: TestContext,
  answer: RequestListener,
): Promise<string> => {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address() as AddressInfo;
  return `tcp://127.0.0.1:${address.port}`;
};

test("[DKR-17] an engine is named by a socket or by a plain address", () => {
  assert.deepEqual(parseAddress("unix:///var/run/docker.sock"), {
    kind: "socket",
    path: "/var/run/docker.sock",
  });
  assert.deepEqual(parseAddress("tcp://127.0.0.1:2375"), {
    kind: "tcp",
    host: "127.0.0.1",
    port: 2375,
  });
  assert.deepEqual(parseAddress("tcp://[::1]"), {
    kind: "tcp",
    host: "::1",
    port: 2375,
  });
  for (const text of [
    "",
    "unix://docker.sock",
    "ssh://box",
    "/run/d.sock",
    "tcp://a/b",
  ])
    assert.equal(parseAddress(text), null, text);
});

test("[DKR-17] nobody at the address is told as that", async () => {
  await assert.rejects(engineAt("ssh://box").about(), {
    code: "docker_unavailable",
    message: /no address of an engine/,
  });
  await assert.rejects(engineAt("unix:///nowhere/docker.sock").about(), {
    code: "docker_unavailable",
    message: /no engine at/,
  });
  await assert.rejects(engineAt("tcp://127.0.0.1:1").about(), {
    code: "docker_unavailable",
    message: /cannot be reached/,
  });
});

test("[DKR-17] what answers and is no engine is not believed", async (t) => {
  const html = await answering(t, (_, response) => response.end("<html>"));
  await assert.rejects(engineAt(html).about(), {
    code: "docker_unavailable",
    message: /no engine that this release knows/,
  });
  const other = await answering(t, (_, response) => response.end('{"ID": 7}'));
  await assert.rejects(engineAt(other).about(), { code: "docker_unavailable" });
});

test("[DKR-17] what an engine refuses is told in its own words, by its kind", async (t) => {
  const refusing = (status: number, message: string) =>
    answering(t, (_, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ message }));
    });
  const missing = engineAt(await refusing(404, "No such image: a"));
  assert.deepEqual(await missing.create("n", {}), {
    kind: "image_missing",
    message: "No such image: a",
  });
  assert.equal(await missing.inspect("n"), null);
  assert.equal(await missing.image("a"), null);
  assert.equal((await missing.start("n"))?.kind, "gone");
  const taken = engineAt(await refusing(409, "name in use"));
  assert.deepEqual(await taken.create("n", {}), {
    kind: "conflict",
    message: "name in use",
  });
  const failing = engineAt(await refusing(500, "it broke"));
  assert.deepEqual(await failing.start("n"), {
    kind: "refused",
    message: "it broke",
  });
  await assert.rejects(failing.list([]), {
    code: "docker_unavailable",
    message: /it broke/,
  });
});

test("[DKR-17] an engine that gives no answer is waited for until the deadline", async (t) => {
  const silent = await answering(t, () => {});
  const asked = askEngineAt(silent)({
    method: "GET",
    path: "/info",
    deadlineMs: 50,
  });
  await assert.rejects(asked, {
    code: "docker_unavailable",
    message: /did not answer \/info in time/,
  });
});

test("[DKR-17] the end of what a container printed is read from the engine's frames", () => {
  const frame = (text: string) => {
    const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
    header.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([header, Buffer.from(text)]);
  };
  const all = Buffer.concat([frame("first\n"), frame("second\n")]);
  assert.equal(lastLines(all), "first\nsecond");
  assert.equal(lastLines(all.subarray(0, -3)), "first\nseco");
  assert.equal(lastLines(Buffer.alloc(0)), "");
});
