import assert from "node:assert/strict";
import { test } from "node:test";
import { nextUnit } from "./schedule.ts";
import { factorOf, REFERENCE_MS } from "./slowness.ts";
import type { Unit } from "./units.ts";

const unit = (name: string, seconds: number, cpu: number): Unit => ({
  files: [name],
  time: { seconds, cpu },
});
const places = { cores: 2, jobs: 4 };
const nameOf = (next: Unit | null): string | undefined => next?.files[0];

test("the longest begins first, and the same expectations give the same order", () => {
  const units = [unit("b", 5, 5), unit("a", 5, 5), unit("long", 60, 30)];
  assert.equal(nameOf(nextUnit(units, [], places)), "long");
  assert.equal(nameOf(nextUnit(units.slice(0, 2), [], places)), "a");
});

test("beside those that keep all cores busy only one that waits may run", () => {
  const running = [unit("one", 60, 60), unit("two", 60, 60)];
  const busy = unit("busy", 40, 40);
  const waiting = unit("waiting", 30, 6);
  assert.equal(
    nameOf(nextUnit([busy, waiting], running, places)),
    "waiting",
    "the longer one has to wait for a core",
  );
  assert.equal(nextUnit([busy], running, places), null);
  assert.equal(nameOf(nextUnit([busy], running.slice(1), places)), "busy");
});

test("never more at once than there are places; never none at all", () => {
  const idle = [1, 2, 3, 4].map((n) => unit(`${n}`, 60, 0));
  assert.equal(nextUnit([unit("next", 1, 0)], idle, places), null);
  const greedy = unit("greedy", 10, 100);
  assert.equal(nextUnit([greedy], [], places), greedy);
});

test("a machine is as slow as its worst measurement of late, and never faster than a quiet one", () => {
  assert.equal(factorOf([REFERENCE_MS / 2]), 1);
  assert.equal(factorOf([REFERENCE_MS, 3 * REFERENCE_MS, REFERENCE_MS]), 3);
  assert.equal(factorOf([1000 * REFERENCE_MS]), 20);
});
