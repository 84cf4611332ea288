/**
 * What a user does while somebody dies. Each step can be taken again and again in the same world, and leaves it as it
 * found it: one session that is idle, and remembers what it was told.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { User } from "./user.ts";
import type { World } from "./world.ts";

/** More than a pipe takes at once, and more than agentctl lets go by before it writes down what was acknowledged. */
const long = "x".repeat(70_000);

/** Where steps are taken. */
export interface Scene {
  world: World;
  /** Somebody whose session goes on through all steps. */
  user: User;
  /** So many steps were taken. */
  steps: number;
}

/** Resolves with everybody whose session was used. */
export type Step = (scene: Scene) => Promise<User[]>;

/** Somebody who was told something to remember. */
export const beginsSession = async (world: World): Promise<User> => {
  // The demo agent has no models: that is a notice.
  const user = await User.create(world, {
    model: "careful",
    model_fallback: true,
  });
  await user.say("remember pass=mellon");
  return user;
};

export const beginScene = async (world: World): Promise<Scene> => ({
  world,
  user: await beginsSession(world),
  steps: 0,
});

export const steps = {
  /** Another session, from its creation to its end. */
  "lives a short life": async ({ world, user }) => {
    const other = await beginsSession(world);
    assert.match(await other.say("recall pass"), /pass=mellon/);
    await other.check();
    await other.end();
    await other.check();
    other.watcher.close();
    return [other, user];
  },

  "is prompted": async ({ user }) => {
    assert.equal(await user.say("count 20 5"), numbers(20));
    return [user];
  },

  "is prompted over a socket": async ({ user }) => {
    assert.equal(await user.say("count 20 5", "socket"), numbers(20));
    return [user];
  },

  "gets long prompts": async ({ user }) => {
    // What was acknowledged of the first is written down during the second.
    for (const which of ["one", "more"])
      assert.match(await user.say(`a long ${which} ${long}`), /x{70000}/);
    return [user];
  },

  "asks for a permission": async ({ world, user, steps }) => {
    const name = `asked-${steps}.txt`;
    const after = user.watcher.seen.length;
    const prompt = await user.queue(`ask-write ${name} hello`);
    await user.permit(after);
    await user.ended(prompt);
    const written = join(world.house.workspace, name);
    assert.equal(await readFile(written, "utf8"), "hello");
    return [user];
  },

  "is cancelled": async ({ user }) => {
    const prompt = await user.queue("sleep 60000");
    await user.watcher.until(
      (event) =>
        event.type === "session.turn.started" &&
        event.data.prompt_id === prompt,
    );
    await user.cancel();
    assert.equal(await user.ended(prompt), "cancelled");
    return [user];
  },

  "changes its mode": async ({ user }) => {
    for (const mode of ["read-only", "work"])
      assert.equal(await user.change({ mode }), mode);
    await user.refusedChange({ mode: "write-only" });
    assert.equal(await user.mode(), "work");
    return [user];
  },

  "is paused and resumed": async ({ user }) => {
    await user.pause();
    await user.resume();
    assert.match(await user.say("recall pass"), /pass=mellon/);
    assert.match(await user.grade(), /^(native|reattached)$/);
    return [user];
  },
} as const satisfies Record<string, Step>;

/** What `count` streams. */
const numbers = (n: number): string =>
  Array.from({ length: n }, (_, index) => `${index + 1}\n`).join("");
