import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartOrder } from "../contract/link/link.ts";
import { type Bench, withDaemon } from "./fixtures/bench.ts";
import { TestLink } from "./fixtures/test-link.ts";
import { HELD_WORDS, heldAt } from "../kit/fixtures/held-turn.ts";
import { Latch } from "../kit/fixtures/latch.ts";

const isAlive = async (link: TestLink, order: StartOrder): Promise<boolean> =>
  JSON.stringify(await link.call("executions", {})).includes(
    `"${order.execution_id}","epoch":1,"session_id":"${order.session_id}","alive":true`,
  );

test("[LNK-32] agentctl retires in the middle of a turn and the next one goes on: nothing is lost, nothing is done twice", () =>
  withDaemon(async (bench) => {
    const order = bench.order("demo");
    const first = await bench.link();
    await first.call("start", order);
    using latch = new Latch(bench.home);
    await first.prompt(order, heldAt(latch));
    await first.wait(order, "text");
    assert.deepEqual(await first.call("retire", {}), {});
    assert.deepEqual(await bench.daemon.exited, [0, null]);
    latch.open();
    await bench.daemonUp();
    const next = await bench.link();
    assert.equal(await isAlive(next, order), true);
    const { execution_id, epoch } = order;
    await next.call("attach", { execution_id, epoch, from: 0 });
    await next.wait(order, "turn_ended");
    assert.equal(next.text(order), HELD_WORDS);
  }));

test("[LNK-4] a server of another protocol is told so; agentctl goes for it when no agent lives, and not before", () =>
  withDaemon(async (bench) => {
    const order = bench.order("demo");
    const link = await bench.link(4);
    await link.call("start", order);
    await link.wait(order, "ready");
    await refused(bench, 5);
    assert.match(await link.turn(order, "hello"), /You said: hello/);
    await link.stop(order);
    await refused(bench, 3);
    assert.equal(await isAlive(link, order), false);
    await refused(bench, 5);
    assert.deepEqual(await bench.daemon.exited, [0, null]);
  }));

const refused = async (bench: Bench, term: number): Promise<void> => {
  const other = await TestLink.open(bench.socketPath, bench.token);
  const hello = { protocol: { min: 7, max: 9 }, build: "9.0.0", term };
  await assert.rejects(other.call("hello", hello), {
    code: "incompatible_protocol",
    message: "agentctl source speaks version 1 of the link, the server 7 to 9",
  });
  other.drop();
};
