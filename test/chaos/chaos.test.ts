import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { describeResult } from "./print.ts";
import { runChaos } from "./run.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

const SEED = Number(process.env["SEED"] ?? 20_260);

test(
  "[P1] [P2] [P3] [P4] [P5] [P6] [P7] [P9] [P10] a minute of chaos breaks no promise",
  {
    timeout: patience(400_000),
  },
  async (t) => {
    t.diagnostic(`SEED=${SEED}`);
    const result = await runChaos({
      root: resolve(import.meta.dirname, "../.."),
      seed: SEED,
      ms: 45_000,
      sessions: 12,
    });
    assert.deepEqual(result.violations, [], describeResult(result));
    const { strikes } = result.tally;
    const struck = Object.values(strikes).reduce(
      (sum, { inTurn }) => sum + inTurn,
      0,
    );
    assert.ok(struck > 0, "nobody was struck during a turn");
    assert.ok(result.turns > 0, "there was no turn");
    const { checkpoints, rests, losses } = result.tally;
    assert.ok(checkpoints.saved > 0, "there was no checkpoint");
    assert.ok(rests > 0 && losses > 0, "nothing rested, or nothing was lost");
    if (result.leftOut !== null) console.warn(`LEFT OUT: ${result.leftOut}`);
    for (const [kind, workspaces] of result.fileSystems)
      assert.ok(workspaces > 0, `no workspace was on ${kind}`);
  },
);
