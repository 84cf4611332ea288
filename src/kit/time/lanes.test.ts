import assert from "node:assert/strict";
import { test } from "node:test";
import { Lane, Lanes } from "./lanes.ts";

test("work with one key goes one at a time in the order of asking, other keys beside it", async () => {
  const lanes = new Lanes();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = lanes.run("a", async () => {
    await gate.promise;
    done.push("first");
  });
  const second = lanes.run("a", async () => void done.push("second"));
  await lanes.run("b", async () => void done.push("other"));
  gate.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(done, ["other", "first", "second"]);
});

test("what fails, also before its first wait, is told to who asked and holds up nobody", async () => {
  const lane = new Lane();
  const failing = lane.run(() => {
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  await assert.rejects(
    lane.run(() => Promise.reject(new Error("later"))),
    /later/,
  );
  assert.equal(await lane.run(async () => 7), 7);
});

test("a lane is free when the work has settled, which may be later than its answer", async () => {
  const lanes = new Lanes();
  const settled = Promise.withResolvers<void>();
  let isNext = false;
  const answer = await lanes.begin("a", () => ({
    answer: Promise.resolve("soon"),
    settled: settled.promise,
  }));
  assert.equal(answer, "soon");
  const next = lanes.run("a", async () => {
    isNext = true;
  });
  await lanes.run("b", async () => undefined);
  assert.equal(isNext, false);
  settled.resolve();
  await next;
});

test("drain waits for all, or for the keys it is given, with what comes meanwhile", async () => {
  const lanes = new Lanes();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done: string[] = [];
  void lanes.run("a", async () => {
    await gates[0]?.promise;
    void lanes.run("a", async () => void done.push("a again"));
  });
  void lanes.run("b", async () => {
    await gates[1]?.promise;
    done.push("b");
  });
  gates[0]?.resolve();
  await lanes.drain(["a", "nobody"]);
  assert.deepEqual(done, ["a again"]);
  gates[1]?.resolve();
  await lanes.drain();
  assert.deepEqual(done, ["a again", "b"]);
});
