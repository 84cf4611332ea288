import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartOrder } from "../../contract/link/link.ts";
import { eventually } from "../../kit/fixtures/patience.ts";
import { onceDescriptorsAreLeft } from "./descriptors.ts";
import { Bench } from "../fixtures/bench.ts";
import { LinkError } from "../../contract/link/link-error.ts";

const DESCRIPTORS = 90;

test("[LNK-63] with few descriptors agentctl refuses further agents with what to do, and goes on with those it has", async () => {
  const bench = await Bench.startDaemon(undefined, DESCRIPTORS);
  try {
    const link = await bench.link();
    const running: StartOrder[] = [];
    let refused: unknown = null;
    while (refused === null && running.length < DESCRIPTORS) {
      const order = bench.order("demo");
      try {
        await link.call("start", order);
        await link.wait(order, "ready");
        running.push(order);
      } catch (error) {
        refused = error;
      }
    }
    assert.ok(refused instanceof LinkError, String(refused));
    assert.equal(refused.code, "too_many_files");
    assert.match(refused.message, /files open.*ulimit -n.*resume the session/);
    assert.ok(running.length > 1, "some of them run");

    // More connections than there is room for.
    const more = await Promise.allSettled(
      Array.from({ length: DESCRIPTORS }, () => bench.link()),
    );
    assert.ok(more.some(({ status }) => status === "rejected"));
    for (const each of more) if (each.status === "fulfilled") each.value.drop();

    const [first, second] = running;
    assert.ok(first !== undefined && second !== undefined);
    const again = await eventually(
      () => bench.link().catch(() => null),
      (it) => it !== null,
    );
    assert.ok(again !== null);
    const { execution_id, epoch } = first;
    await again.call("attach", { execution_id, epoch, from: 0 });
    assert.match(await again.turn(first, "hello"), /You said: hello/);
    await again.call("attach", {
      execution_id: second.execution_id,
      epoch: second.epoch,
      from: 0,
    });
    await again.stop(second);
    await again.call("forget", {
      execution_id: second.execution_id,
      epoch: second.epoch,
    });
    const order = bench.order("demo");
    await again.call("start", order);
    await again.wait(order, "ready");
  } finally {
    await bench.close();
  }
});

test("[LNK-63] of starts that come at once, those that are accepted come up, and the others are refused", async () => {
  const bench = await Bench.startDaemon(undefined, DESCRIPTORS);
  try {
    const link = await bench.link();
    const orders = Array.from({ length: 10 }, () => bench.order("demo"));
    const started = await Promise.allSettled(
      orders.map(async (order) => {
        await link.call("start", order);
        return order;
      }),
    );
    const accepted = started.flatMap((it) =>
      it.status === "fulfilled" ? [it.value] : [],
    );
    const refused = started.flatMap((it) =>
      it.status === "rejected" ? [it.reason] : [],
    );
    assert.ok(accepted.length > 0 && refused.length > 0);
    for (const error of refused)
      assert.ok(error instanceof LinkError && error.code === "too_many_files");
    for (const order of accepted) await link.wait(order, "ready");
    // What was reserved is free again.
    const order = bench.order("demo");
    await eventually(
      () =>
        link.call("start", order).then(
          () => true,
          () => false,
        ),
      (it) => it,
    );
    await link.wait(order, "ready");
  } finally {
    await bench.close();
  }
});

test("[LNK-63] what must be done is tried again while descriptors or memory are short, and no other failure is", async () => {
  for (const code of ["EMFILE", "ENFILE", "ENOMEM"]) {
    const failures = [Object.assign(new Error(code), { code })];
    const work = async (): Promise<string> => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return "done";
    };
    const waited: unknown[] = [];
    // The wait does not keep a process alive.
    const alive = setInterval(() => undefined, 1000);
    const done = await onceDescriptorsAreLeft(work, (it) => waited.push(it));
    clearInterval(alive);
    assert.deepEqual([done, waited.length], ["done", 1]);
  }
  const broken = Object.assign(new Error("EIO"), { code: "EIO" });
  await assert.rejects(
    onceDescriptorsAreLeft(
      () => Promise.reject(broken),
      () => assert.fail("it waits for nothing"),
    ),
    broken,
  );
});
