import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  emptyMap,
  entriesOf,
  type PersistentMap,
  valueOf,
  withEntry,
  without,
} from "./persistent-map.ts";

const keys = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((n) => `call_${n}`),
  fc.constantFrom("__proto__", "constructor", "toString", "1", ""),
);
const steps = fc.array(
  fc.oneof(
    fc.record({ key: keys, value: fc.nat(9) }),
    fc.record({ key: keys, value: fc.constant(null) }),
  ),
  { maxLength: 400, size: "max" },
);

test("it holds what a map would hold, and every map before it stays as it was", () => {
  fc.assert(
    fc.property(steps, (changes) => {
      const model = new Map<string, number>();
      let map: PersistentMap<number> = emptyMap;
      for (const { key, value } of changes) {
        const before: string = JSON.stringify(map);
        const next: PersistentMap<number> =
          value === null ? without(map, key) : withEntry(map, key, value);
        assert.equal(JSON.stringify(map), before);
        if (value === null) model.delete(key);
        else model.set(key, value);
        map = next;
        assert.equal(valueOf(map, key), model.get(key));
      }
      assert.equal(map.size, model.size);
      assert.deepEqual(new Map(entriesOf(map)), model);
      // JSON holds all of it.
      const copy: PersistentMap<number> = JSON.parse(JSON.stringify(map));
      assert.deepEqual(copy, map);
      for (const [key, value] of model) assert.equal(valueOf(copy, key), value);
    }),
    { seed: Number(process.env["SEED"] ?? 1) },
  );
});

test("removing what was added gives the shape it had before", () => {
  let map: PersistentMap<number> = withEntry(emptyMap, "first", 0);
  const before = map;
  for (let n = 0; n < 1000; n += 1) map = withEntry(map, `key ${n}`, n);
  for (let n = 0; n < 1000; n += 1) map = without(map, `key ${n}`);
  assert.deepEqual(map, before);
});

test("a change makes a few new nodes, however many entries there are", () => {
  let map: PersistentMap<number> = emptyMap;
  for (let n = 0; n < 50_000; n += 1) map = withEntry(map, `key ${n}`, n);
  const old = nodesOf(map);
  for (const next of [
    withEntry(map, "one more", 1),
    withEntry(map, "key 25000", 1),
    without(map, "key 25000"),
  ]) {
    const made = [...nodesOf(next)].filter((node) => !old.has(node));
    assert.ok(made.length <= 8, `${made.length} new nodes`);
  }
});

const nodesOf = (map: PersistentMap<number>): Set<object> => {
  const nodes = new Set<object>([map]);
  if ("children" in map)
    for (const child of map.children)
      if (child !== null) for (const node of nodesOf(child)) nodes.add(node);
  return nodes;
};
