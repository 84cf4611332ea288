/**
 * Real processes are killed at every crash point, started again, and what is there is compared with what had been
 * acknowledged.
 *
 * The readable files under `sessions/` have no points: they are made anew from the journal, and nothing rests on them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gitKills } from "../../src/agentctl/fixtures/git-kills.ts";
import { vaultKills } from "../../src/checkpoint/fixtures/kills.ts";
import { crashPoints } from "../../src/kit/crash-point.ts";
import { allCrashes } from "./kills.ts";

test("every crash point is killed at", () => {
  const names = [
    ...allCrashes.flatMap(({ at }) => at.map((each) => each.split(":")[0])),
    // The vault dies on its own, in src/checkpoint/crash.test.ts.
    ...vaultKills.map(({ at }) => at),
    // So does what brings git back, in src/agentctl/workspace/git/git-crash.test.ts.
    ...gitKills.map(({ at }) => at),
  ];
  assert.deepEqual(new Set(names), new Set<string | undefined>(crashPoints));
});
