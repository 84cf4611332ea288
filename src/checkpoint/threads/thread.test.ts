import { WORKER } from "../workers/programs.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Calls } from "../workers/calls.ts";
import { Bench } from "../fixtures/bench.ts";
import { hashOf } from "../format/hash.ts";
import { Thread } from "./thread.ts";

test("[CHK-46] a thread that runs out of memory fails what it was asked, and only that", async () => {
  await using bench = await Bench.make();
  const listener = { warn: () => {}, damaged: () => {} };
  // So little that it does not even get to the vault.
  const thread = new Thread<Calls>(WORKER, bench.site, listener, {
    maxOldGenerationSizeMb: 4,
  });
  await assert.rejects(
    thread.call(
      "list",
      { tree: hashOf(Buffer.from("x")) },
      new SharedArrayBuffer(4),
    ),
    { code: "out_of_memory" },
  );
  assert.equal(thread.isOver, true);
  await thread.close();
});
