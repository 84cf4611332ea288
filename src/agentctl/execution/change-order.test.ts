/** The order to change the settings of an agent that runs, and what a death of agentctl does to it. */
import assert from "node:assert/strict";
import type { StartOrder } from "../../contract/link/link.ts";
import type { TestLink } from "../fixtures/test-link.ts";
import { sharedDaemon } from "../fixtures/shared-daemon.ts";

const test = sharedDaemon();

/** What the order says, with what the agent offers. */
const changing = async (link: TestLink, order: StartOrder, mode: string) => {
  const { execution_id, epoch, definition } = order;
  const { offered } = await link.wait(order, "ready");
  const change = { change: 1, asked: { mode }, offered };
  return {
    execution_id,
    epoch,
    ...change,
    definition: { ...definition, mode },
  };
};

test("[LNK-99] [LNK-102] a change is made at once and told once, however often it is ordered", async (bench) => {
  const order = bench.order("demo");
  const link = await bench.link();
  await link.call("start", order);
  const change = await changing(link, order, "read-only");
  await link.call("change", change);
  const told = await link.wait(order, "change_applied");
  assert.deepEqual(told.applied.mode, { value: "read-only", held: "agent" });
  await link.call("change", change);
  const words = await link.turn(order, "write a.txt x");
  assert.match(words, /I only read/);
  const all = link.of(order).filter(({ kind }) => kind === "change_applied");
  assert.equal(all.length, 1);
  await link.stop(order);
});

test("[LNK-100] what the agent does not offer is refused, and it goes on as before", async (bench) => {
  const order = bench.order("demo");
  const link = await bench.link();
  await link.call("start", order);
  await link.call("change", await changing(link, order, "write-only"));
  const { restriction } = await link.wait(order, "change_refused");
  assert.deepEqual(
    [restriction.reason, restriction.valid],
    ["not_offered", ["work", "read-only"]],
  );
  assert.doesNotMatch(await link.turn(order, "write b.txt x"), /I only read/);
  await link.stop(order);
});

// The third message of an execution is the one that sets the mode.
const points = [
  "agentctl.journal.sent:3",
  "agentctl.stdin.body:3",
  "agentctl.journal.committed:3",
  "agentctl.journal.written:3",
  "agentctl.journal.changed:1",
];

for (const point of points)
  test(`[LNK-102] agentctl killed at ${point}: the change is neither lost nor told twice`, async (bench) => {
    const order = bench.order("demo");
    const { execution_id, epoch } = order;
    const first = await bench.link();
    await bench.arm(point);
    await first.call("start", order);
    const change = await changing(first, order, "read-only");
    first.call("change", change).catch(() => undefined);
    await bench.daemon.crashed();
    await bench.daemonUp();
    const next = await bench.link();
    await next.call("attach", { execution_id, epoch, from: 0 });
    await next.call("change", change);
    const { applied } = await next.wait(order, "change_applied");
    assert.equal(applied.mode?.value, "read-only");
    assert.match(await next.turn(order, "write c.txt x"), /I only read/);
    const told = next.of(order).filter((it) => it.kind === "change_applied");
    assert.equal(told.length, 1);
    await next.stop(order);
  });
