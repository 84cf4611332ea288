import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  endOf,
  followFrom,
  held,
  isAtEnd,
  resized,
  scrolled,
} from "./follow.ts";

const place = (offset: number, size = 2_000, viewport = 500) => ({
  offset,
  size,
  viewport,
});
const atEnd = followFrom(place(1_500));

test("[PAG-83] within 24 pixels of the end is the end", () => {
  assert.equal(isAtEnd(place(1_476)), true);
  assert.equal(isAtEnd(place(1_475)), false);
  assert.equal(endOf(place(0)), 1_500);
  assert.equal(endOf(place(0, 100)), 0);
});

test("[PAG-83] only a reader who moves up lets go", () => {
  const up = { place: place(1_200), byReader: true };
  assert.equal(scrolled(atEnd, up).isPinned, false);
  assert.equal(scrolled(atEnd, { ...up, byReader: false }).isPinned, true);
  // The content grew by 400 while the reader moved down by 10.
  const grown = { place: place(1_510, 2_400), byReader: true };
  assert.equal(scrolled(atEnd, grown).isPinned, true);
});

test("[PAG-83] whoever comes back to the end is pinned again; growing content pins nobody", () => {
  const away = scrolled(atEnd, { place: place(1_200), byReader: true });
  assert.equal(
    scrolled(away, { place: place(1_490), byReader: true }).isPinned,
    true,
  );
  assert.equal(
    scrolled(away, { place: place(1_490), byReader: false }).isPinned,
    false,
  );
});

test("[PAG-197] what a reader opens holds the list where it is, unless that is still its end", () => {
  const { last } = atEnd;
  const opening = resized(held(atEnd), last);
  assert.equal(opening.isPinned, false);
  const grown = { ...last, size: last.size + 300 };
  const opened = resized(opening, grown);
  assert.equal(opened.isPinned, false);
  assert.equal(resized(held(opened), last).isPinned, true);
  const little = { ...last, size: last.size + 10 };
  assert.equal(resized(opening, little).isPinned, true);
});

test("[PAG-83] whatever resizes, in whatever order, a list that no reader moved stays pinned", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          offset: fc.nat(3_000),
          size: fc.nat(9_000),
          viewport: fc.integer({ min: 1, max: 900 }),
          isResize: fc.boolean(),
        }),
      ),
      (steps) => {
        let follow = atEnd;
        for (const { isResize, ...place } of steps)
          follow = isResize
            ? resized(follow, place)
            : scrolled(follow, { place, byReader: false });
        assert.equal(follow.isPinned, true);
      },
    ),
  );
});
