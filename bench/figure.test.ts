import assert from "node:assert/strict";
import { test } from "node:test";
import { figure, limit, median, quantile } from "./figure.ts";
import { machine } from "./machine.ts";
import { table } from "./table.ts";

const rates = {
  what: "appends",
  unit: "events/s",
  ours: [90, 10, 60],
  peer: [100, 110, 90],
};

void test("a figure is the ratio of medians, held against its bar", () => {
  assert.equal(figure(rates, { least: 0.5 }).ratio, 0.6);
  assert.equal(figure(rates, { least: 0.5 }).ok, true);
  assert.equal(figure(rates, { least: 0.7 }).ok, false);
  assert.equal(figure(rates, { most: 0.5 }).ok, false);
  assert.equal(figure(rates, null).ok, null);
});

void test("a bar may be the peer and so much more, a multiple of its speed, or a figure of its own", () => {
  assert.equal(figure(rates, { within: 10 }).ok, true);
  assert.equal(figure({ ...rates, peer: [40] }, { within: 10 }).ok, false);
  assert.equal(figure(rates, { within: 10 }).bar, "≤ peer + 10 events/s");
  assert.equal(figure({ ...rates, ours: [50] }, { faster: 2 }).ok, true);
  assert.equal(figure({ ...rates, ours: [51] }, { faster: 2 }).ok, false);
  assert.equal(figure(rates, { faster: 2 }).bar, "2 × faster");
  const { ok, peer, ratio, bar } = limit(rates, { least: 50 });
  assert.deepEqual(
    { ok, peer, ratio, bar },
    { ok: true, peer: 50, ratio: 1.2, bar: "≥ 50" },
  );
  assert.equal(limit(rates, { most: 50 }).ok, false);
});

void test("quantiles are values that were measured", () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(median(values), 51);
  assert.equal(quantile(values, 0.99), 100);
  assert.equal(quantile([7], 0.99), 7);
});

void test("the table says which bar is missed", () => {
  const rows = [figure(rates, { least: 0.5 }), figure(rates, { least: 0.7 })];
  const text = table({ name: "journal", machine: machine(), rows });
  assert.match(
    text,
    /appends +60\.000 events\/s +100 events\/s +0\.60 +≥ 0\.5 +ok\n/,
  );
  assert.match(text, /≥ 0\.7 +MISSED/);
});
