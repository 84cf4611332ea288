/** The order inside the large rooms, shown to be found when it is broken. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import type { Violation } from "./house/check-imports.ts";
import { checkSubRooms, upwardPlantings } from "./house/sub-rooms.ts";
import { readTree, treeWith } from "./house/tree.ts";

const sources = await readTree(resolve(import.meta.dirname, ".."), ["src"]);

const words = (violations: readonly Violation[]): string[] =>
  violations.map(({ file, what }) => `${file}: ${what}`);

test("inside a room no import goes up", () => {
  assert.deepEqual(words(checkSubRooms(sources)), []);
});

test("every import that goes up inside a room is found", () => {
  const plantings = upwardPlantings(sources);
  assert.ok(plantings.length > 400, `only ${plantings.length} plantings`);
  const found = checkSubRooms(treeWith(sources, plantings));
  const blamed = new Set(found.map(({ file }) => file));
  const missed = plantings.filter(({ path }) => !blamed.has(path));
  assert.deepEqual(missed, []);
});

test("a file in a sub-room that nobody has drawn is found", () => {
  const path = "src/checkpoint/attic/planted.ts";
  const planted = { path, source: `export const box = 1;\n` };
  const found = checkSubRooms(treeWith(sources, [planted]));
  assert.deepEqual(
    found.map(({ file }) => file),
    [path],
  );
});
