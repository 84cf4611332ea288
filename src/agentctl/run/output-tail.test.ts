import assert from "node:assert/strict";
import { test } from "node:test";
import { OutputTail } from "./output-tail.ts";

test("[RUN-6] of an output of any length, in pieces of any size, exactly the end is kept", () => {
  for (const limit of [1, 7, 1000])
    for (const piece of [1, 3, 999, 1000, 1001, 5000]) {
      const tail = new OutputTail(limit);
      const all = Buffer.from(
        Array.from({ length: 20_000 }, (_, index) => index % 251),
      );
      for (let at = 0; at < all.length; at += piece)
        tail.push(all.subarray(at, at + piece));
      assert.equal(tail.bytes, all.length);
      assert.deepEqual(tail.end(), all.subarray(-limit), `${limit} ${piece}`);
    }
});

test("[RUN-6] an output that is shorter than what is kept is whole", () => {
  const tail = new OutputTail(1000);
  assert.equal(tail.end().length, 0);
  tail.push(Buffer.from("all "));
  tail.push(Buffer.from("of it"));
  assert.equal(tail.end().toString(), "all of it");
});
