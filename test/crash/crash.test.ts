/**
 * Kills a real process at every crash point, in the middle of a session's life, starts it again and compares what is
 * there with what had been acknowledged.
 *
 * The readable files under `sessions/` have no points: they are made anew from the journal, and nothing rests on them.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { vaultKills } from "../../src/checkpoint/fixtures/kills.ts";
import { crashPoints } from "../../src/kit/crash-point.ts";
import { kills } from "./kills.ts";
import { World } from "./world.ts";

test("every crash point is killed at", () => {
  const names = [
    ...kills.flatMap(({ at }) => at.map((each) => each.split(":")[0])),
    // The vault dies on its own, in src/checkpoint/crash.test.ts.
    ...vaultKills.map(({ at }) => at),
  ];
  assert.deepEqual(new Set(names), new Set<string | undefined>(crashPoints));
});

// A kill is mostly waiting for processes to start: two at a time keep two cores busy.
describe(
  "[P1] [P2] [P3] [P5] [P6] nothing is lost and nothing is done twice",
  { concurrency: 2 },
  () => {
    for (const { who, at, live, errors = 0 } of kills)
      test(`when ${who} is killed at ${at.join(", then at ")} while it ${live.name}`, async () => {
        await using world = await World.make({ who, at });
        const user = await live(world);
        await world.assertKilled();
        assert.equal(user.errors, errors, "[P9] nobody had to ask again");
      });
  },
);
