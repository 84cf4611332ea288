import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { describeResult } from "./print.ts";
import { runChaos } from "./run.ts";
import type { Stage } from "./stage.ts";
import type { Tally } from "./tally.ts";
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
      isEnough: hasShownAll,
    });
    assert.deepEqual(result.violations, [], describeResult(result));
    assert.ok(struckInTurn(result.tally) > 0, "nobody was struck in a turn");
    assert.ok(result.turns > 0, "there was no turn");
    const { checkpoints, rests, losses } = result.tally;
    assert.ok(checkpoints.saved > 0, "there was no checkpoint");
    assert.ok(rests > 0 && losses > 0, "nothing rested, or nothing was lost");
    if (result.leftOut !== null) console.warn(`LEFT OUT: ${result.leftOut}`);
    for (const [kind, workspaces] of result.fileSystems)
      assert.ok(workspaces > 0, `no workspace was on ${kind}`);
  },
);

/** What the assertions about the run ask for, as far as it is known before the journals are read. */
function hasShownAll({ tally, plays, fileSystems }: Stage): boolean {
  return (
    struckInTurn(tally) > 0 &&
    tally.rests > 0 &&
    tally.losses > 0 &&
    plays.some(({ shown }) => shown.captured.size > 0) &&
    [...fileSystems.used.values()].every((workspaces) => workspaces > 0)
  );
}

function struckInTurn({ strikes }: Tally): number {
  return Object.values(strikes).reduce((sum, { inTurn }) => sum + inTurn, 0);
}
