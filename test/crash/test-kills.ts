/**
 * One test for each kill, one world for all of them: a world lives through one kill after the other, and what is there is
 * compared with what was acknowledged after each. After a kill that failed a test the next one gets a new world.
 */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Kill } from "./kills.ts";
import type { User } from "./user.ts";
import { type Crash, World } from "./world.ts";

/** The promises that every kill is held against. */
export const PROMISES =
  "[P1] [P2] [P3] [P5] [P6] nothing is lost and nothing is done twice";

interface Scene {
  world: World;
  user?: User;
  steps: number;
}

export const testKills = <S extends string, C extends Scene>(
  kills: readonly Kill<S>[],
  steps: Readonly<Record<S, (scene: C) => Promise<User[]>>>,
  begin: (world: World) => Promise<C>,
): void => {
  describe(PROMISES, () => {
    let scene: C | null = null;
    const end = async (): Promise<void> => {
      const last = scene;
      scene = null;
      await last?.world[Symbol.asyncDispose]();
    };
    after(end);

    for (const kill of kills)
      test(`when ${kill.who} is killed at ${kill.at.join(", then at ")} while a session ${kill.step}`, async () => {
        scene ??= await beginNew(begin);
        scene.steps += 1;
        try {
          const users = await dying(scene.world, [kill], () =>
            steps[kill.step](scene!),
          );
          for (const user of users) await assertWhole(user, kill.errors ?? 0);
        } catch (error) {
          await end();
          throw error;
        }
      });

    test("and when all of it is over", async () => {
      await scene?.user?.check(true);
    });
  });
};

/** A world in which nothing could begin is not left behind. */
const beginNew = async <C>(begin: (world: World) => Promise<C>): Promise<C> => {
  await using worlds = new AsyncDisposableStack();
  const scene = await begin(worlds.use(await World.make()));
  worlds.move();
  return scene;
};

/** Does something and sees that everybody died meanwhile where it was ordered. */
export const dying = async <T>(
  world: World,
  crashes: readonly Crash[],
  work: () => Promise<T>,
): Promise<T> => {
  for (const crash of crashes) await world.arm(crash);
  const done = await work();
  for (const crash of crashes) await world.isOver(crash);
  return done;
};

export const assertWhole = async (user: User, errors = 0): Promise<void> => {
  await user.check();
  assert.equal(user.errors, errors, "[P9] nobody had to ask again");
};
