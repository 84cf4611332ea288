import assert from "node:assert/strict";
import { once } from "node:events";
import { test, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import type { Failed, Obedient } from "../fixtures/rpc-thread.ts";
import { WorkerCalls } from "./worker-calls.ts";

const start = (t: TestContext, batches = true) => {
  const worker = new Worker(
    new URL("../fixtures/rpc-thread.ts", import.meta.url),
  );
  t.after(() => worker.terminate());
  const notes: string[] = [];
  let exits = 0;
  const calls = new WorkerCalls<Obedient, Failed, string>(worker, {
    errorOf: ({ code }) => Object.assign(new Error("failed"), { code }),
    endedBy: () => new Error("ended"),
    onNote: (note) => void notes.push(note),
    onExit: () => void (exits += 1),
    batches,
    keepsAlive: true,
  });
  return { worker, calls, notes, exits: () => exits };
};

test("each request gets its own answer, and a failure keeps its code", async (t) => {
  const { calls } = start(t);
  const [one, failed, two] = await Promise.allSettled([
    calls.call("echo", "one"),
    calls.call("fail", 7),
    calls.call("echo", "two"),
  ]);
  assert.deepEqual(one, { status: "fulfilled", value: "one" });
  assert.ok(failed.status === "rejected");
  assert.equal(failed.reason.code, 7);
  assert.deepEqual(two, { status: "fulfilled", value: "two" });
  assert.equal(calls.load, 0);
});

for (const [batches, company] of [
  [true, [2, 2]],
  [false, [1, 1]],
] as const)
  test(`requests of one turn travel ${batches ? "together" : "one by one"}`, async (t) => {
    const { calls } = start(t, batches);
    const asked = [calls.call("company", null), calls.call("company", null)];
    assert.equal(calls.load, 2);
    assert.deepEqual(await Promise.all(asked), company);
  });

test("a call that is called off says so inside the thread", async (t) => {
  const { calls } = start(t);
  const abort = new SharedArrayBuffer(4);
  assert.equal(await calls.call("isAborted", null, abort), false);
  Atomics.store(new Int32Array(abort), 0, 1);
  assert.equal(await calls.call("isAborted", null, abort), true);
});

test("what is no answer is told before the answer that follows it", async (t) => {
  const { calls, notes } = start(t);
  await calls.call("tell", "it is warm");
  assert.deepEqual(notes, ["it is warm"]);
});

test("the end of the thread rejects what waits, and what is asked after it", async (t) => {
  const { calls, exits } = start(t);
  const waiting = calls.call("ignore", null);
  const dying = calls.call("die", null);
  await assert.rejects(waiting, { message: "ended" });
  await assert.rejects(dying, { message: "ended" });
  assert.equal(exits(), 1);
  assert.ok(calls.isOver);
  await assert.rejects(calls.call("echo", "late"), { message: "ended" });
  await calls.close();
});

test("closing waits for what was asked, and then for the thread", async (t) => {
  const { calls, exits } = start(t);
  const asked = calls.call("echo", "last");
  await calls.close();
  assert.equal(exits(), 1);
  assert.equal(await asked, "last");
});

test("terminating waits for nobody, and says why", async (t) => {
  const { worker, calls } = start(t);
  await once(worker, "online");
  const waiting = calls.call("ignore", null);
  const rejected = assert.rejects(waiting, { message: "enough" });
  await calls.terminate(new Error("enough"));
  await rejected;
  await assert.rejects(calls.call("echo", "late"), { message: "enough" });
});

for (const batches of [true, false])
  test(`[STO-58] a request that cannot be cloned fails alone, sent ${batches ? "with others" : "by itself"}`, async (t) => {
    const { calls } = start(t, batches);
    const [before, bad, after] = await Promise.allSettled([
      calls.call("echo", "before"),
      calls.call("take", () => undefined),
      calls.call("echo", "after"),
    ]);
    assert.deepEqual(before, { status: "fulfilled", value: "before" });
    assert.ok(bad.status === "rejected");
    assert.equal(bad.reason.name, "DataCloneError");
    assert.deepEqual(after, { status: "fulfilled", value: "after" });
    assert.equal(calls.load, 0);
    await calls.close();
  });

test("[STO-58] whoever closes is told when the thread is gone, however many do", async (t) => {
  const { calls, exits } = start(t);
  const asked = calls.call("echo", "last");
  await Promise.all([calls.close(), calls.close()]);
  assert.equal(exits(), 1);
  assert.equal(await asked, "last");
  await calls.close();
});

test("[STO-58] what is asked on the last answer is answered before the thread closes", async (t) => {
  const { calls } = start(t);
  const asked = calls.call("echo", "first").then((first) => {
    return calls.call("echo", `${first} and last`);
  });
  await calls.close();
  assert.equal(await asked, "first and last");
});
