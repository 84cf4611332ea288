import assert from "node:assert/strict";
import { test } from "node:test";
import { Gate } from "./gate.ts";

test("[REC-6] only so many are inside at a time, and the others come in order", async () => {
  const gate = new Gate(2);
  const inside: number[] = [];
  const order: number[] = [];
  const visit = async (n: number): Promise<void> => {
    const leave = await gate.enter();
    inside.push(n);
    order.push(n);
    assert.ok(inside.length <= 2);
    await new Promise(setImmediate);
    inside.splice(inside.indexOf(n), 1);
    leave();
    leave();
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(visit));
  assert.deepEqual(order, [1, 2, 3, 4, 5, 6]);
});
