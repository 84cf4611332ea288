import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { MAX_FRAME, MAX_STREAMS } from "../../contract/link/stream.ts";
import { until } from "../../kit/fixtures/patience.ts";
import { withBench, type Bench } from "../fixtures/bench.ts";
import { newTransfer, TestData } from "../fixtures/test-data.ts";

const filesOf = async ({ home }: Bench): Promise<string[]> => {
  const scratch = join(home, "agentctl", "scratch");
  return (await readdir(scratch, { recursive: true })).filter((name) =>
    name.includes("trf_"),
  );
};

test("[LNK-69] streams want the token and the key of a link that has said hello", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const { socketPath, token } = bench;
    const refused = (secret: string, key: string, status: number) =>
      assert.rejects(
        TestData.open(socketPath, secret, key),
        new RegExp(`${status}`),
      );
    await refused("wrong", link.dataKey, 401);
    await refused(token, "", 403);
    await refused(token, `${link.dataKey}x`, 403);
    await bench.data(link);
  }));

test("[LNK-69] streams end with their link, and what went over them is removed", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const data = await bench.data(link);
    await data.upload(randomBytes(100_000));
    assert.equal((await filesOf(bench)).length, 1);
    const open = data.streams.open("upload", { transfer: newTransfer() });
    await open.push(randomBytes(10));
    link.drop();
    await assert.rejects(open.untilOver(), { code: "connection_lost" });
    await data.closed;
    await until(async () => (await filesOf(bench)).length === 0);
    await assert.rejects(bench.data(link), /403/);
  }));

test("[LNK-69] a server of a lower term opens no streams any more, and those it has end", () =>
  withBench(async (bench) => {
    const old = await bench.link(1);
    const data = await bench.data(old);
    await bench.link(2);
    await data.closed;
    await assert.rejects(bench.data(old), /403/);
  }));

test("[LNK-69] the next connection of a link takes the place of the one before, and finds its files", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const first = await bench.data(link);
    const bytes = randomBytes(3_000_000);
    const transfer = await first.upload(bytes);
    const second = await bench.data(link);
    await first.closed;
    assert.ok((await second.download(transfer)).equals(bytes));
    const rest = await second.download(transfer, 1_234_567);
    assert.ok(rest.equals(bytes.subarray(1_234_567)), "from where it stopped");
    assert.ok(link.isOpen());
  }));

test("[LNK-72] what cannot be opened is refused with a code, and nothing else ends", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const data = await bench.data(link);
    const { streams } = data;
    const transfer = await data.upload(Buffer.from("hello"));
    const refused = async (
      code: string,
      kind: string,
      params: object,
      from = 0,
    ) => assert.rejects(streams.open(kind, params, from).untilOver(), { code });
    await refused("unknown_kind", "terminal", {});
    await refused("invalid_params", "upload", { transfer: "../token" });
    await refused("invalid_params", "upload", { transfer });
    await refused("invalid_params", "download", { transfer }, 6);
    await refused("unknown_transfer", "download", { transfer: newTransfer() });
    const held = Array.from({ length: MAX_STREAMS }, () =>
      streams.open("upload", { transfer: newTransfer() }),
    );
    await refused("too_many_streams", "download", { transfer });
    for (const stream of held) stream.abort("cancelled", "enough");
    assert.equal((await data.download(transfer)).toString(), "hello");
    await until(async () => (await filesOf(bench)).length === 1);
  }));

test("[LNK-73] text, a frame that is too large and one that cannot be read end the connection, not the link", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const faults: [message: string | Buffer, code: number][] = [
      ["hello", 1008],
      [Buffer.alloc(MAX_FRAME + 1), 1009],
      [Buffer.from("what?"), 1008],
    ];
    for (const [message, code] of faults) {
      const data = await bench.data(link);
      data.socket.send(message);
      assert.equal((await data.closed)[0], code);
    }
    assert.deepEqual(await link.call("executions", {}), { executions: [] });
  }));

test("[LNK-71] while a download is not read, orders and other streams go on", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const data = await bench.data(link);
    const bytes = randomBytes(8_000_000);
    const transfer = await data.upload(bytes);
    const slow = data.streams.open("download", { transfer });
    const reading = slow[Symbol.asyncIterator]();
    await reading.next();
    assert.deepEqual(await link.call("executions", {}), { executions: [] });
    assert.ok((await data.download(transfer)).equals(bytes));
    await reading.return(undefined);
  }));

test("[LNK-75] what an agentctl that died left behind is removed by the next one", () =>
  withBench(async (bench) => {
    const left = join(bench.home, "agentctl", "scratch", "s-1");
    await bench.down();
    await mkdir(left, { recursive: true });
    await writeFile(join(left, newTransfer()), "left");
    await bench.up();
    assert.equal(existsSync(left), false);
  }));

test("[LNK-75] an upload that stops leaves nothing, and its id can be used again", () =>
  withBench(async (bench) => {
    const data = await bench.data(await bench.link());
    const transfer = newTransfer();
    const stream = data.streams.open("upload", { transfer });
    await stream.push(randomBytes(1000));
    stream.abort("cancelled", "enough");
    await until(async () => (await filesOf(bench)).length === 0);
    await data.upload(Buffer.from("all of it"), transfer);
    assert.equal((await data.download(transfer)).toString(), "all of it");
  }));
