import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { test } from "node:test";
import { until } from "../../../kit/fixtures/patience.ts";
import { withBench } from "../../fixtures/bench.ts";

const MEBIBYTE = 1024 * 1024;

test("[LNK-62] what an agent writes to stderr is kept short while it runs, and its last words are told", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("says-much");
    await link.call("start", order);
    await link.turn(order, "stderr 20");
    const size = async () => (await stat(bench.path(order, "stderr"))).size;
    await until(async () => (await size()) <= 8 * MEBIBYTE);
    assert.ok((await size()) >= MEBIBYTE);
    // It appends behind what is left.
    await link.turn(order, "stderr 1");
    assert.ok((await size()) <= 8 * MEBIBYTE);
    await link.stop(order);
    const { stderr_tail } = await link.wait(order, "ended");
    assert.ok(stderr_tail.length > 0 && stderr_tail.length <= 4096);
    assert.doesNotMatch(stderr_tail, /\0/);
  }));

test("[LNK-62] stdout is given back once the server has it, and the agent, the server and a successor go on", () =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("says-much");
    const { execution_id, epoch } = order;
    await link.call("start", order);
    for (let n = 0; n < 3; n += 1) await link.turn(order, "message 16");
    const stdout = () => stat(bench.path(order, "stdout"));
    const written = (await stdout()).size;
    assert.ok(written > 48 * MEBIBYTE);
    await until(async () => (await stdout()).blocks * 512 < 32 * MEBIBYTE);
    assert.equal((await stdout()).size, written);

    const end = link.of(order).findLast(({ range }) => range)?.range?.to;
    assert.ok(end !== undefined);
    await bench.down();
    await bench.up();
    const second = await bench.link();
    await second.call("attach", { execution_id, epoch, from: end });
    await second.wait(order, "ready");
    assert.equal(await second.turn(order, "chunks 1"), "word 0 ");

    const old = await bench.link();
    await old.call("attach", { execution_id, epoch, from: 0 });
    const { ending } = await old.wait(order, "ended");
    assert.deepEqual(ending, { kind: "output_lost" });
  }));
