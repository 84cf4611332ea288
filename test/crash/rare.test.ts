/** Kills at the points that only a bad day leads to, and in a home where nothing is yet. */
import { describe, test } from "node:test";
import { firstKills, rareKills } from "./kills.ts";
import { rareSteps } from "./rare-steps.ts";
import { beginsSession } from "./steps.ts";
import { assertWhole, dying, PROMISES, testKills } from "./test-kills.ts";
import { type Crash, World } from "./world.ts";

testKills(rareKills, rareSteps, async (world) => ({ world, steps: 0 }));

describe(`${PROMISES}, from the first moment of a home`, () => {
  for (const { start, session } of firstKills)
    test(`when ${words(start)} at its first start, ${session.map(words).join(" and ")} at the first session`, async () => {
      await using world = await World.make(start);
      await world.isOver(start);
      await world.server();
      const user = await dying(world, session, () => beginsSession(world));
      await user.say("recall pass");
      await assertWhole(user);
    });
});

function words({ who, at }: Crash): string {
  return `${who} is killed at ${at.join(", then at ")}`;
}
