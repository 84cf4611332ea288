/** Random workspaces, random things happening to them, and every checkpoint comes back: judged by `find`. */
import { rmSync } from "node:fs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Bench } from "./fixtures/bench.ts";
import { edit, perform } from "./fixtures/edits.ts";
import { judge } from "./fixtures/judge.ts";
import type { Hash } from "./format/hash.ts";

test("[P3] [CHK-1] every checkpoint is restored as it was, elsewhere and in place", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { minLength: 1, maxLength: 25 }), {
        minLength: 2,
        maxLength: 5,
      }),
      fc.array(fc.nat(100), { minLength: 3, maxLength: 3 }),
      async (rounds, visits) => {
        await using bench = await Bench.make();
        const made: { tree: Hash; was: Map<string, string> }[] = [];
        for (const edits of rounds) {
          for (const each of edits) perform(bench.workspace, each);
          const { tree, outcome } = await bench.save();
          assert.equal(outcome, "saved");
          made.push({ tree, was: judge(bench.workspace) });
        }
        for (const { tree, was } of made) await bench.assertIs(tree, was);
        for (const visit of visits) {
          const { tree, was } = made[visit % made.length] ?? assert.fail();
          await bench.restore(tree);
          assert.deepEqual(judge(bench.workspace), was);
          // And our own eyes see what the judge sees.
          assert.equal((await bench.save()).tree, tree);
        }
        rmSync(bench.cache, { recursive: true });
        await bench.reopen();
        for (const { tree, was } of made) await bench.assertIs(tree, was);
        const { tree } = await bench.save();
        assert.equal(tree, made[(visits[2] ?? 0) % made.length]?.tree);
      },
    ),
    { numRuns: 20, endOnFailure: true },
  );
});
