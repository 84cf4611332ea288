import assert from "node:assert/strict";
import { test } from "node:test";
import { nextUnit } from "./schedule.ts";
import { factorOf, REFERENCE_MS } from "./slowness.ts";
import type { Unit } from "./units.ts";

const unit = (name: string, seconds: number): Unit => ({
  files: [name],
  seconds,
});
const places = { cores: 2, jobs: 4 };
const nameOf = (next: Unit | null): string | undefined => next?.files[0];

test("the longest begins first, and the same expectations give the same order", () => {
  const units = [unit("b", 5), unit("a", 5), unit("long", 60)];
  assert.equal(nameOf(nextUnit(units, 0, 0, places)), "long");
  assert.equal(nameOf(nextUnit(units.slice(0, 2), 0, 0, places)), "a");
  assert.equal(nextUnit([], 0, 2, places), null);
});

test("as many as there are cores always run; more only while cores have nothing to do", () => {
  const units = [unit("next", 5)];
  assert.equal(nameOf(nextUnit(units, 1, 0, places)), "next");
  assert.equal(nextUnit(units, 2, 0.1, places), null);
  assert.equal(nameOf(nextUnit(units, 2, 1, places)), "next");
});

test("never more at once than there are places", () => {
  assert.equal(nextUnit([unit("next", 5)], 4, 2, places), null);
  const one = { cores: 2, jobs: 1 };
  assert.equal(nextUnit([unit("next", 5)], 1, 2, one), null);
});

test("a machine is as slow as its worst measurement of late, and never faster than a quiet one", () => {
  assert.equal(factorOf([REFERENCE_MS / 2]), 1);
  assert.equal(factorOf([REFERENCE_MS, 3 * REFERENCE_MS, REFERENCE_MS]), 3);
  assert.equal(factorOf([1000 * REFERENCE_MS]), 20);
});
