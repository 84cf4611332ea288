import assert from "node:assert/strict";
import { test } from "node:test";
import { watchRetention } from "./retention-watch.ts";

const HOUR_MS = 3_600_000;

test("[CPT-14] the policy is kept at start-up and every hour, one look at a time", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const looks: (() => void)[] = [];
  const told: unknown[] = [];
  const watch = watchRetention(
    () =>
      new Promise((resolve) => {
        looks.push(() => resolve({ ended: [], purged: ["ses"] }));
      }),
    {
      info: (facts) => void told.push(facts),
      warn: () => undefined,
      error: () => undefined,
    },
  );
  await Promise.resolve();
  assert.equal(looks.length, 1);
  t.mock.timers.tick(HOUR_MS);
  await Promise.resolve();
  assert.equal(looks.length, 1, "the first is not over");
  looks[0]?.();
  while (looks.length < 2) await new Promise(setImmediate);
  assert.deepEqual(told, [{ ended: [], purged: ["ses"] }]);
  looks[1]?.();
  await watch.close();
  t.mock.timers.tick(2 * HOUR_MS);
  assert.equal(looks.length, 2);
});

test("[CPT-14] a look that fails is told of, and the next one comes", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const failures: unknown[] = [];
  let looks = 0;
  const watch = watchRetention(
    async () => {
      looks += 1;
      throw new Error("the disk");
    },
    {
      info: () => undefined,
      warn: () => undefined,
      error: (facts) => void failures.push(facts),
    },
  );
  await watch.drain();
  t.mock.timers.tick(HOUR_MS);
  await watch.close();
  assert.equal(looks, 2);
  assert.equal(failures.length, 2);
});
