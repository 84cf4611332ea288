/** What a person does in a workspace beside a session is told from what its turns do. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  gitIn,
  makeRepository,
} from "../../src/agentctl/fixtures/repository.ts";
import { say, TestHouse } from "./house.ts";

test("[P12] [CPT-26] the diff of a turn begins with what the turn found, not with what the turn before left", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const { id } = await client.createSession({ cwd: house.workspace });
  await say(client, id, "write a.txt 1");
  // The diff waits until what the turn left is captured.
  await client.showDiff(id, { from: "1" });
  await writeFile(join(house.workspace, "mine.txt"), "mine");
  await say(client, id, "write b.txt 2");
  const { changes } = await client.showDiff(id, { from: "2" });
  assert.deepEqual(changes, [{ path: "b.txt", kind: "added" }]);
  const { checkpoints } = await client.listCheckpoints(id);
  assert.deepEqual(
    checkpoints.map(({ kind, turn }) => `${kind} ${turn}`),
    ["baseline 0", "turn 1", "start 2", "turn 2"],
  );
  // And where nobody did anything, there is no checkpoint more.
  await say(client, id, "write c.txt 3");
  await client.showDiff(id, { from: "3" });
  const after = await client.listCheckpoints(id);
  assert.deepEqual(
    after.checkpoints.slice(4).map(({ kind, turn }) => `${kind} ${turn}`),
    ["turn 3"],
  );
});

test("[CPT-28] [CPT-29] commits of a worktree session go back with a rewind, come back with its undo, and begin a fork", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const worktree = makeRepository(join(house.directory, "repository"));
  const session = await client.createSession({ worktree });
  const { id, cwd } = session;
  const commit = async (name: string) => {
    await say(
      client,
      id,
      `write ${name} ${name}\nrun git add ${name} && git -c user.name=t -c user.email=t@t commit -qm ${name}`,
    );
    return gitIn(cwd, "rev-parse", "HEAD");
  };
  const one = await commit("one");
  const two = await commit("two");
  await client.rewindSession(id, { turn: 1 });
  assert.equal(gitIn(cwd, "rev-parse", "HEAD"), one);
  assert.equal(gitIn(cwd, "branch", "--show-current"), session.worktree_branch);
  assert.equal(gitIn(cwd, "status", "--porcelain"), "");

  const fork = await client.forkSession(id, { turn: 2 });
  await say(client, fork.id, "go on");
  assert.equal(gitIn(fork.cwd, "rev-parse", "HEAD"), two);
  assert.equal(gitIn(fork.cwd, "status", "--porcelain"), "");
  assert.equal(gitIn(cwd, "rev-parse", "HEAD"), one, "the parent stays");

  const { checkpoints } = await client.listCheckpoints(id);
  const undo = checkpoints.findLast(({ kind }) => kind === "rewind");
  assert.ok(undo !== undefined);
  await client.rewindSession(id, { checkpoint: undo.id });
  assert.equal(gitIn(cwd, "rev-parse", "HEAD"), two);
  assert.equal(gitIn(cwd, "status", "--porcelain"), "");
});
