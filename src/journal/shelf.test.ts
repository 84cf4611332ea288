import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../contract/base/place.ts";
import { tallies } from "./fixtures/tally.ts";
import { Shelf } from "./shelf.ts";

const tally = (n: number, isClosed: boolean) => ({
  id: `tly_${n}`,
  place: LOCAL,
  seq: 1,
  total: 0,
  isClosed,
});

test("[REC-85] states at rest are few, however many are active", () => {
  const shelf = new Shelf(tallies, 2);
  for (const n of [1, 2, 3]) shelf.put(tally(n, false));
  for (const n of [4, 5, 6]) shelf.put(tally(n, true));
  assert.deepEqual(
    [...shelf.ids()],
    ["tly_1", "tly_2", "tly_3", "tly_5", "tly_6"],
  );
  shelf.put(tally(5, true));
  shelf.put(tally(3, true));
  assert.equal(shelf.get("tly_6"), undefined, "5 was changed since");
});

test("[REC-85] a state that is doubted is not forgotten: what was not told is told from it", () => {
  const shelf = new Shelf(tallies, 1);
  shelf.put(tally(1, true));
  shelf.doubt("tly_1");
  for (const n of [2, 3]) shelf.put(tally(n, true));
  assert.equal(shelf.get("tly_1"), undefined);
  assert.equal(shelf.doubted("tly_1")?.seq, 1);
  shelf.put(tally(1, true));
  assert.deepEqual([...shelf.ids()], ["tly_1"]);
});
