import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WorkerPool, type PooledThread } from "./worker-pool.ts";

/** A thread that answers when it is told to. */
class SlowThread implements PooledThread {
  isIdle = true;
  readonly isOver = false;
  isClosed = false;
  answer: (value: never) => void = () => {};

  call(): Promise<never> {
    this.isIdle = false;
    return new Promise((resolve) => {
      this.answer = (value) => {
        this.isIdle = true;
        resolve(value);
      };
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** A pool of one, and those who were ever in it. */
const crewOfOne = (warn: (warning: string) => void) => {
  const threads: SlowThread[] = [];
  const startThread = (): SlowThread => {
    const thread = new SlowThread();
    threads.push(thread);
    return thread;
  };
  return { threads, pool: new WorkerPool(startThread, 1, warn) };
};

test("[CHK-29] a thread that hangs after it was called off is given up, and another takes its place", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const warnings: string[] = [];
  const { pool, threads } = crewOfOne((warning) => warnings.push(warning));
  const calling = new AbortController();
  const first = pool.call("usage", { sets: [] }, calling.signal);
  const second = pool.call("usage", { sets: [] });
  await nextTurn();
  assert.equal(threads.length, 1, "the second waits");
  calling.abort();
  await assert.rejects(first.answer, { code: "aborted" });
  t.mock.timers.tick(59_999);
  await nextTurn();
  assert.equal(threads.length, 1, "the first may still be putting things away");
  t.mock.timers.tick(1);
  await first.settled;
  await nextTurn();
  assert.equal(threads.length, 2);
  assert.match(warnings.join(), /hangs in the system/);

  const [hung, other] = threads;
  other?.answer({} as never);
  await second.answer;
  hung?.answer({} as never);
  await nextTurn();
  assert.ok(hung?.isClosed, "nobody asks it again");
});

test("[CHK-29] a thread that puts away what it has in time is used again", async () => {
  const { pool, threads } = crewOfOne(() =>
    assert.fail("there is nothing to warn of"),
  );
  const calling = new AbortController();
  const first = pool.call("usage", { sets: [] }, calling.signal);
  await nextTurn();
  calling.abort();
  await assert.rejects(first.answer, { code: "aborted" });
  threads[0]?.answer({} as never);
  await first.settled;
  const second = pool.call("usage", { sets: [] });
  await nextTurn();
  threads[0]?.answer({} as never);
  await second.answer;
  assert.equal(threads.length, 1);
  await pool.close();
  assert.ok(threads[0]?.isClosed);
});
