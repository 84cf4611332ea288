import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartOrder } from "../contract/link/link.ts";
import { withBench } from "./fixtures/bench.ts";
import type { TestLink } from "./fixtures/test-link.ts";

/** Has an agent say much, and gives what was reported of it. */
const whenSaid = (
  prompt: string,
  check: (link: TestLink, order: StartOrder) => void | Promise<void>,
): Promise<void> =>
  withBench(async (bench) => {
    const link = await bench.link();
    const order = bench.misbehaving("says-much");
    await link.call("start", order);
    await link.turn(order, prompt);
    await check(link, order);
  });

test("[LNK-45] what an agent pours out comes in reports of limited size, complete and in order", () =>
  whenSaid("calls 1500", (link, order) => {
    const sizes = link.reports.map(({ items }) => items.length);
    assert.ok(Math.max(...sizes) <= 64, `${Math.max(...sizes)} items at once`);
    for (const { items } of link.reports) {
      const first = items.find(({ range }) => range !== null)?.range?.from ?? 0;
      const last = items.findLast(({ range }) => range !== null)?.range?.to;
      assert.ok((last ?? first) - first <= 128 * 1024);
    }
    const tools = link
      .of(order)
      .flatMap((item) =>
        item.kind === "tool" ? [`${item.tool.id} ${item.tool.status}`] : [],
      );
    const expected = Array.from({ length: 1500 }, (_, n) => [
      `call_${n} in_progress`,
      `call_${n} completed`,
    ]);
    assert.deepEqual(tools, expected.flat());
    const ranges = link.of(order).flatMap(({ range }) => range ?? []);
    ranges.reduce((before, range) => {
      assert.equal(range.from, before.to);
      return range;
    });
  }));

test("[LNK-46] a line that is too long is left out, and what was left out is told; the turn goes on", () =>
  whenSaid("line 65\nchunks 1", (link, order) => {
    const garbage = link.of(order).find(({ kind }) => kind === "garbage");
    assert.ok(garbage?.kind === "garbage");
    assert.ok((garbage.too_long ?? 0) > 65 * 1024 * 1024);
    assert.match(garbage.text, /^\{"jsonrpc":"2.0","method":"session\/update"/);
    assert.equal(link.text(order), "word 0 ");
  }));

test("[LNK-46] when the answer to a prompt is such a line, the turn ends with that as its error", () =>
  whenSaid("answer 65", async (link, order) => {
    const { error } = await link.wait(order, "turn_ended");
    assert.match(error ?? "", /line of 65 MiB/);
  }));

test("[LNK-46] long names and plans are told short, and the same name is told the same way", () =>
  whenSaid("plan 100000\ntool-id 1048576", (link, order) => {
    const plan = link.of(order).find(({ kind }) => kind === "plan");
    assert.ok(plan?.kind === "plan");
    assert.equal(plan.entries.length, 1001);
    assert.equal(plan.entries.at(-1)?.text, "… and 99000 more");
    const ids = link
      .of(order)
      .flatMap((item) => (item.kind === "tool" ? [item.tool.id] : []));
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
    assert.ok((ids[0]?.length ?? 0) <= 200);
  }));
