import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../kit/fixtures/patience.ts";
import { listProxy } from "./proxy.ts";

test("[SBX-20] what a host sends before it closes reaches also who reads slowly", async (t) => {
  const host = createServer({ allowHalfOpen: true });
  host.listen(0, "127.0.0.1");
  await once(host, "listening");
  t.after(() => host.close());
  // It listens on an address.
  const { port } = host.address() as AddressInfo;
  const proxy = listProxy({
    hosts: [`127.0.0.1:${port}`],
    onRefused: assert.fail,
    onError: (error) => assert.fail(String(error)),
  });
  const directory = await mkdtemp(join(tmpdir(), "proxy-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  proxy.listen(join(directory, "socket"));
  await once(proxy, "listening");
  t.after(() => proxy.close());

  const reader = connect({
    path: join(directory, "socket"),
    allowHalfOpen: true,
  });
  t.after(() => reader.destroy());
  const asked = once(proxy, "connect");
  const reached = once(host, "connection");
  reader.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`);
  const [, near]: Socket[] = await asked;
  const [far]: Socket[] = await reached;
  assert.ok(near !== undefined && far !== undefined);
  let sent = 0;
  // Nobody reads: when the system takes no more of it, some is still held by the proxy.
  await until(() => {
    if (near.writableLength > 0) return true;
    far.write(PIECE);
    sent += PIECE.length;
    return false;
  });
  far.end();
  far.resume();
  await once(far, "close");
  // The proxy has seen that end as well.
  await until(() => near.writableEnded || near.destroyed);
  let read = -ESTABLISHED.length;
  for await (const piece of reader) read += (piece as Buffer).length;
  assert.equal(read, sent);
});

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";
const PIECE = Buffer.alloc(1000, "x");

test("[SBX-20] an error of a proxy is told, and ends nothing", () => {
  const errors: unknown[] = [];
  const proxy = listProxy({
    hosts: [],
    onRefused: assert.fail,
    onError: (error) => errors.push(error),
  });
  const failed = new Error("accept EMFILE");
  for (const _ of [1, 2]) proxy.emit("error", failed);
  assert.deepEqual(errors, [failed, failed]);
});
