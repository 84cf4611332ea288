/** The workspace comes and goes. Wherever agentctl dies meanwhile, what was recorded comes back. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { listing } from "../e2e/tree-listing.ts";
import { User } from "./user.ts";
import { Watcher } from "./watcher.ts";
import type { World } from "./world.ts";

/** Where these steps are taken: a session with three turns, and what each of them left. */
export interface WorkspaceScene {
  world: World;
  user: User;
  left: string[][];
  steps: number;
}

type Step = (scene: WorkspaceScene) => Promise<User[]>;

export const workspaceSteps = {
  /** Back to an earlier turn, forward again, and elsewhere from one. */
  "goes back": async ({ world, user, left }) => {
    await user.rewind(1);
    assert.deepEqual(await listing(world.house.workspace), left[0]);
    assert.match(await user.say("recall key1"), /key1=value1/);
    assert.match(await user.say("recall key2"), /key2 is unknown/);
    await user.rewind(3);
    assert.deepEqual(await listing(world.house.workspace), left[2]);
    assert.match(await user.say("recall key3"), /key3=value3/);
    await assertForked(user, 2, left[1]);
    return [user];
  },

  /** Workspace and agent home are deleted while it is paused. */
  "comes back cold": async ({ world, user }) => {
    const { workspace, directory } = world.house;
    await user.turnIsCaptured();
    const after = user.watcher.seen.length;
    await user.pause();
    await user.captured("pause", after);
    const before = await listing(workspace);
    await rm(workspace, { recursive: true });
    await rm(join(directory, ".reprise-demo"), { recursive: true });
    await user.resume();
    assert.deepEqual(await listing(workspace), before);
    assert.match(await user.say("recall key1"), /key1=value1/);
    assert.match(await user.grade(), /^(native|reattached)$/);
    assert.ok(
      user.watcher.seen
        .slice(after)
        .some(
          (event) =>
            event.type === "session.resumed" &&
            event.data.resume.path === "cold" &&
            event.data.resume.workspace === "restored",
        ),
      "[CPT-4] it says that it was brought back",
    );
    return [user];
  },

  /** Another session is thrown away; what this one needs is still there. */
  "lets another one go": async ({ world, user, left, steps }) => {
    const other = await litter(world, steps);
    await throwAway(world, other);
    await assertForked(user, 1, left[0]);
    await assertForked(user, 3, left[2]);
    assert.match(await user.say("recall key3"), /key3=value3/);
    return [user];
  },
} as const satisfies Record<string, Step>;

/** A session with three turns, each of which remembers and writes something. */
export const threeTurns = async (world: World): Promise<WorkspaceScene> => {
  const user = await User.create(world);
  const left: string[][] = [];
  for (const n of [1, 2, 3]) {
    const words = [
      `remember key${n}=value${n}`,
      `write file.txt ${n}`,
      `write sub/${n}.txt ${n}`,
      `run ln -sfn ${n} link && mkdir -p hollow && chmod 75${n} hollow`,
    ];
    const after = user.watcher.seen.length;
    await user.say(words.join("\n"));
    await user.captured("turn", after);
    left.push(await listing(world.house.workspace));
  }
  return { world, user, left, steps: 0 };
};

const assertForked = async (
  user: User,
  turn: number,
  left: readonly string[] | undefined,
): Promise<void> => {
  const { id, cwd } = await user.world.insist((client) =>
    client.forkSession(user.session, { turn }),
  );
  await user.world.insist((client) => client.resumeSession(id));
  assert.deepEqual(await listing(cwd), left, `turn ${turn}, elsewhere`);
  await user.world.insist((client) => client.endSession(id));
};

/** A session that leaves something large. */
const litter = async (world: World, number: number): Promise<SessionId> => {
  const prompt = "run head -c 300000 /dev/urandom >large";
  const key = `litter-${number}`;
  const { id } = await world.insist((client) =>
    client.createSession({ prompt }, { key }),
  );
  const watcher = new Watcher(world, id);
  await watcher.until(
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.turn === 1,
  );
  watcher.close();
  return id;
};

const throwAway = async (world: World, id: SessionId): Promise<void> => {
  await world.insist((client) => client.deleteSession(id));
  // What was saved lately is never removed, unless those who saved it are gone.
  await world.restart(async () => undefined);
  await world.insist((client) => client.collectGarbage());
  await assert.rejects(
    world.insist((client) => client.showSession(id)),
    (error) =>
      error instanceof RepriseError && error.code === "session_not_found",
  );
};
