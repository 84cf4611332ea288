import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { patience } from "../../kit/fixtures/patience.ts";
import { within } from "../../kit/time/deadline.ts";
import { newOwner, OnNetwork } from "../fixtures/on-network.ts";
import { TestLink } from "../fixtures/test-link.ts";
import { fingerprintOf } from "./certificate.ts";
import { countedLog } from "./counted-log.ts";

const closed = async (socket: Socket): Promise<void> => {
  // Nobody hears of the end of what is not read.
  socket.resume();
  if (socket.destroyed) return;
  await within(
    "the end of a connection",
    patience(20_000),
    once(socket, "close"),
  );
};

const health = (at: OnNetwork, authorization?: string) =>
  new Promise<{ status: number | undefined; body: string }>(
    (resolve, reject) => {
      const asked = request(
        {
          host: "127.0.0.1",
          port: at.port,
          path: "/health",
          rejectUnauthorized: false,
          agent: false,
          headers: authorization === undefined ? {} : { authorization },
        },
        (response) => {
          let body = "";
          response.on("data", (piece: Buffer) => (body += piece.toString()));
          response.on("end", () =>
            resolve({ status: response.statusCode, body }),
          );
        },
      );
      asked.on("error", reject);
      asked.end();
    },
  );

const logOf = ({ bench }: OnNetwork): Promise<string> =>
  readFile(join(bench.home, "agentctl/agentctl.log"), "utf8");

test("[LNK-110] TLS 1.3 with the certificate of the home, and nothing older", async () => {
  await using at = await OnNetwork.start();
  const socket = await at.tls();
  assert.equal(socket.getProtocol(), "TLSv1.3");
  const certificate = socket.getPeerX509Certificate();
  assert.equal(
    fingerprintOf(certificate?.raw ?? Buffer.of()),
    at.bench.running.fingerprint,
  );
  socket.destroy();
  const older = connect({
    host: "127.0.0.1",
    port: at.port,
    rejectUnauthorized: false,
    maxVersion: "TLSv1.2",
  });
  const [error] = await once(older, "error");
  assert.ok(error instanceof Error && "code" in error);
  assert.match(String(error.code), /PROTOCOL_VERSION|ECONNRESET/);
});

test("[LNK-111] health, links and streams want the token over the network as they do on the socket", async () => {
  await using at = await OnNetwork.start();
  const { token } = at.bench;
  assert.equal((await health(at)).status, 401);
  assert.equal((await health(at, `Bearer ${token}x`)).status, 401);
  assert.equal((await health(at, token)).status, 401);
  const known = await health(at, `Bearer ${token}`);
  assert.equal(known.status, 200);
  assert.deepEqual(JSON.parse(known.body), { status: "ok", build: "test" });
  await assert.rejects(at.dial("wrong"), /401/);
  const link = await at.link(newOwner());
  const { dataKey } = link;
  link.dataKey = "wrong";
  await assert.rejects(at.data(link), /403/);
  link.dataKey = dataKey;
  await assert.rejects(at.data(link, "wrong"), /401/);
  const data = await at.data(link);
  data.socket.terminate();
});

test("[LNK-111] the network may have a token of its own, which does not open the socket", async () => {
  await using at = await OnNetwork.start();
  await at.bench.down();
  const [home, own] = [at.bench.token, "x".repeat(40)];
  const where = { host: "127.0.0.1", port: 0, isPlain: true, env: {} };
  await at.bench.up({ network: { ...where, token: own } });
  const { address } = at.bench.running;
  const url = `ws://127.0.0.1:${address?.port}/link`;
  await assert.rejects(TestLink.at(url, home), /401/);
  await assert.rejects(TestLink.open(at.bench.socketPath, own), /401/);
  (await TestLink.at(url, own)).drop();
});

test("[LNK-112] whoever shows no token in time is ended: silent, in the middle of TLS, of a header, or without a body", async () => {
  await using at = await OnNetwork.start({ handshakeMs: patience(500) });
  const link = await at.link(newOwner());
  const slow = await at.tls();
  slow.write("GET /link HTTP/1.1\r\nhost: a\r\nauthor");
  const half = at.tcp();
  // The beginning of a ClientHello.
  half.write(Buffer.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01));
  const refusedAndOpen = await at.tls();
  refusedAndOpen.write(
    "GET /health HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n",
  );
  await Promise.all([at.tcp(), slow, half, refusedAndOpen].map(closed));
  assert.equal(link.isOpen(), true);
  assert.deepEqual(await link.call("executions", {}), { executions: [] });
});

test("[LNK-112] of too many that wait the oldest goes, and a server with the token gets in", async () => {
  await using at = await OnNetwork.start({
    handshakeMs: 600_000,
    maxWaiting: 3,
  });
  const first = at.tcp();
  await once(first, "connect");
  const others = [at.tcp(), at.tcp()];
  await Promise.all(others.map((each) => once(each, "connect")));
  const link = await at.link(newOwner());
  await closed(first);
  assert.deepEqual(
    others.map(({ destroyed }) => destroyed),
    [false, false],
  );
  // Who has shown the token does not wait any more, however many come.
  const flood = Array.from({ length: 20 }, () => at.tcp());
  await Promise.all([...others, ...flood.slice(0, 17)].map(closed));
  assert.equal(link.isOpen(), true);
  for (const each of flood) each.destroy();
});

test("[LNK-112] garbage before TLS and within it, and headers without end, hurt nobody", async () => {
  await using at = await OnNetwork.start();
  const link = await at.link(newOwner());
  const plain = at.tcp();
  plain.write("GET /health HTTP/1.1\r\nhost: a\r\n\r\n");
  const noise = at.tcp();
  noise.write(Buffer.alloc(100_000, 0xa5));
  const inside = await at.tls();
  inside.write(Buffer.alloc(1000, 0x00));
  const headers = await at.tls();
  headers.write(`GET /health HTTP/1.1\r\nx: ${"x".repeat(20_000)}\r\n\r\n`);
  await Promise.all([plain, noise, inside, headers].map(closed));
  assert.deepEqual(await link.call("executions", {}), { executions: [] });
});

test("[LNK-112] a flood of wrong tokens leaves one line in the log", async () => {
  await using at = await OnNetwork.start({ tellMs: 600_000 });
  for (let guess = 0; guess < 50; guess++)
    assert.equal((await health(at, `Bearer ${guess}`)).status, 401);
  const lines = (await logOf(at)).split("\n");
  const told = lines.filter((line) => line.includes("refused on the network"));
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /"wrong token":1/);
});

test("[LNK-112] what was refused meanwhile is counted in the next line", () => {
  const lines: unknown[] = [];
  let now = 0;
  const counted = countedLog(
    (words, facts) => lines.push([words, facts]),
    "refused",
    60_000,
    () => now,
  );
  counted.note("a");
  counted.note("a");
  counted.note("b");
  now = 59_999;
  counted.note("b");
  assert.deepEqual(lines, [["refused", { a: 1 }]]);
  now = 60_000;
  counted.note("a");
  assert.deepEqual(lines.at(-1), ["refused", { a: 2, b: 2 }]);
  counted.tell();
  assert.equal(lines.length, 2);
  counted.note("b");
  counted.tell();
  assert.deepEqual(lines.at(-1), ["refused", { b: 1 }]);
});

test("[LNK-114] a connection whose other end gives no sign of life is ended, one that answers stays", async () => {
  const silenceMs = patience(400);
  await using at = await OnNetwork.start({ pingMs: silenceMs / 8, silenceMs });
  const owner = newOwner();
  const link = await at.link(owner);
  const silent = await at.dial(at.bench.token, { autoPong: false });
  await within(
    "the end of the silent one",
    patience(20_000),
    once(silent.socket, "close"),
  );
  assert.equal(link.isOpen(), true);
  assert.deepEqual(await link.call("executions", {}), { executions: [] });
});

test("[LNK-3] [LNK-7] over the network, too: hello comes first, and a later server of the same owner closes the link of the one before", async () => {
  await using at = await OnNetwork.start();
  const owner = newOwner();
  const eager = await at.dial();
  await assert.rejects(eager.call("executions", {}), {
    code: "term_superseded",
  });
  const first = await at.link(owner, 5);
  const gone = once(first.socket, "close");
  const second = await at.link(owner, 6);
  const [code, reason] = await gone;
  assert.deepEqual([code, String(reason)], [1008, "term_superseded"]);
  await assert.rejects(at.link(owner, 5), { code: "term_superseded" });
  assert.deepEqual(await second.call("executions", {}), { executions: [] });
});

test("[LNK-119] hello tells where directories are made, the architecture and the time", async () => {
  await using at = await OnNetwork.start();
  const link = await at.dial();
  const before = Date.now();
  const hello = await link.call("hello", {
    protocol: { min: 1, max: 1 },
    build: "t",
    term: 1,
    owner: newOwner(),
  });
  assert.ok(typeof hello === "object" && hello !== null);
  const { clock, ...told } = hello as Record<string, unknown>;
  assert.equal(told["workspaces"], join(at.bench.home, "workspaces"));
  assert.equal(told["arch"], process.arch);
  assert.equal(told["environment"], "own");
  const time = Date.parse(String(clock));
  assert.ok(time >= before && time <= Date.now());
  link.drop();
});
