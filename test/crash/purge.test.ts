/**
 * The server or agentctl is killed while a session is removed for good. Nobody asks again: what had been written down is
 * finished by the next server, and before that the session stays whole in the trash.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import type { SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { until } from "../../src/kit/fixtures/patience.ts";
import { Watcher } from "./watcher.ts";
import { type Crash, World } from "./world.ts";

const kills: readonly { crash: Crash; left: "whole" | "gone" }[] = [
  // Before it is written down that somebody asked.
  { crash: { who: "server", at: ["store.before-commit:1"] }, left: "whole" },
  // Behind that; before and behind the order to agentctl; around the end of the journal; before the answer.
  { crash: { who: "server", at: ["store.after-commit:1"] }, left: "gone" },
  { crash: { who: "server", at: ["link.before-order:1"] }, left: "gone" },
  { crash: { who: "server", at: ["link.after-order:1"] }, left: "gone" },
  { crash: { who: "server", at: ["store.before-commit:2"] }, left: "gone" },
  { crash: { who: "server", at: ["store.after-commit:2"] }, left: "gone" },
  { crash: { who: "server", at: ["server.before-answer:1"] }, left: "gone" },
  // What agentctl has removed, and told nobody.
  { crash: { who: "agentctl", at: ["agentctl.answer:1"] }, left: "gone" },
];

describe("[SES-190] [P8] what is removed for good goes whole, or stays whole", () => {
  let world: World;
  before(async () => {
    world = await World.make(null, { trash_days: 10_000 });
    await git(world, "init", "--quiet");
    await git(
      world,
      ...AUTHOR,
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "1",
    );
  });
  after(() => world[Symbol.asyncDispose]());

  for (const { crash, left } of kills)
    test(`when ${crash.who} is killed at ${crash.at.join()}, it is ${left}`, async () => {
      const session = await inTrash(world);
      const { client } = await world.server();
      await world.arm(crash);
      const asked = client.purgeSession(session.id).then(
        () => "done",
        () => "cut off",
      );
      await world.isOver(crash);
      await asked;
      // The next server looks at its start.
      await world.restart(async () => undefined);
      if (left === "whole") await assertWhole(world, session);
      else await assertGone(world, session);
    });

  test("[SES-193] and a fork of one that is gone has what it needs", async () => {
    const parent = await inTrash(world);
    const { id } = await world.insist((client) =>
      client.forkSession(parent.id, { turn: 1 }, { key: "the-fork" }),
    );
    const crash: Crash = { who: "server", at: ["link.after-order:1"] };
    const { client } = await world.server();
    await world.arm(crash);
    await client.purgeSession(parent.id).catch(() => undefined);
    await world.isOver(crash);
    await world.restart(async () => undefined);
    await assertGone(world, parent);
    await world.insist((each) => each.collectGarbage());
    const { cwd } = await world.insist((each) => each.showSession(id));
    await world.insist((each) => each.resumeSession(id));
    assert.equal(await readFile(join(cwd, "note.txt"), "utf8"), "kept");
  });
});

const AUTHOR = ["-c", "user.name=n", "-c", "user.email=n@example.org"];

const git = (world: World, ...args: string[]): Promise<unknown> =>
  promisify(execFile)("git", args, { cwd: world.house.workspace });

/** A session with a worktree of its own that nothing happens to any more. */
const inTrash = async (world: World): Promise<Session> => {
  const { id } = await world.insist((client) =>
    client.createSession({
      worktree: world.house.workspace,
      prompt: "write note.txt kept",
    }),
  );
  await captured(world, id, "turn");
  await world.insist((client) => client.pauseSession(id));
  await captured(world, id, "pause");
  return world.insist((client) => client.deleteSession(id));
};

const captured = async (
  world: World,
  id: SessionId,
  kind: "turn" | "pause",
): Promise<void> => {
  const watcher = new Watcher(world, id);
  await watcher.until(
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === kind,
  );
  watcher.close();
};

const assertGone = async (
  world: World,
  { id, cwd }: Session,
): Promise<void> => {
  await until(async () => !(await isThere(world, id)));
  const { home } = world.house;
  for (const path of [cwd, join(home, "sessions", id)])
    await assert.rejects(access(path), path);
};

const assertWhole = async (
  world: World,
  { id, cwd }: Session,
): Promise<void> => {
  const { deleted_at } = await world.insist((client) =>
    client.undeleteSession(id),
  );
  assert.equal(deleted_at, null);
  await world.insist((client) => client.resumeSession(id));
  assert.equal(await readFile(join(cwd, "note.txt"), "utf8"), "kept");
  await world.insist((client) => client.endSession(id));
};

const isThere = (world: World, id: SessionId): Promise<boolean> =>
  world.insist(async (client) => {
    try {
      await client.showSession(id);
      return true;
    } catch (error) {
      if (error instanceof RepriseError && error.code === "session_not_found")
        return false;
      throw error;
    }
  });
