import assert from "node:assert/strict";
import { test } from "node:test";
import { Bench } from "./fixtures/link.ts";

test("a turn over the real link: start, ready, prompt, text, turn end, transcript, stop", async () => {
  const bench = await Bench.start();
  try {
    const link = await bench.link();
    const order = bench.order("demo");
    await link.call("start", order);
    const ready = await link.wait(order, "ready");
    assert.equal(ready.opened, "new");
    assert.equal(ready.abilities.resume, true);
    assert.equal(ready.range?.from, 0);
    assert.match(await link.turn(order, "count 3 5"), /1\s*2\s*3/);
    assert.ok((await link.wait(order, "transcript")).bytes > 0);
    await link.stop(order);
    assert.deepEqual((await link.wait(order, "ended")).ending, {
      kind: "stopped",
    });
  } finally {
    await bench.close();
  }
});
