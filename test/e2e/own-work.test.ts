/** What a person does in a workspace beside a session is told from what its turns do. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import {
  gitIn,
  makeRepository,
} from "../../src/agentctl/fixtures/repository.ts";
import { say } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[P12] [CPT-26] the diff of a turn begins with what the turn found, not with what the turn before left", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createSession({ cwd: workspace });
  await say(client, id, "write a.txt 1");
  // The diff waits until what the turn left is captured.
  await client.showDiff(id, { from: "1" });
  await writeFile(join(workspace, "mine.txt"), "mine");
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

test("[CPT-28] [CPT-29] commits of a worktree session go back with a rewind, come back with its undo, and begin a fork", async ({
  client,
  workspace,
}) => {
  const worktree = makeRepository(join(workspace, "repository"));
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

/** In place: the agent writes, the person edits and commits, the agent writes again. */
const besideTheAgent = async (workspace: string, client: Client) => {
  const cwd = makeRepository(join(workspace, "repository"));
  const { id } = await client.createSession({ cwd });
  await say(client, id, "write agent.txt 1");
  await client.showDiff(id, { from: "1" });
  await writeFile(join(cwd, "mine.txt"), "mine");
  await writeFile(join(cwd, "a.txt"), "edited");
  gitIn(cwd, "commit", "-qam", "my commit");
  const mine = gitIn(cwd, "rev-parse", "HEAD");
  await say(client, id, "write agent.txt 2\nwrite second.txt 2");
  await client.showDiff(id, { from: "2" });
  await writeFile(join(cwd, "late.txt"), "late");
  const read = (name: string) =>
    readFile(join(cwd, name), "utf8").catch(() => null);
  return { cwd, id, mine, read };
};

test("[P12] [CPT-31] [API-128] a rewind tells a person's edits and commits, and is refused where they are not to be undone", async ({
  client,
  workspace,
}) => {
  const { cwd, id, mine, read } = await besideTheAgent(workspace, client);
  const plan = await client.rewindSession(id, { turn: 1, dry_run: true });
  assert.deepEqual(
    plan.edits?.map(({ path }) => path),
    ["a.txt", "late.txt", "mine.txt"],
  );
  assert.equal(plan.head?.moves, true);
  assert.deepEqual(
    plan.head.commits.map(({ subject }) => subject),
    ["my commit"],
  );
  await assert.rejects(client.rewindSession(id, { turn: 1, edits: "refuse" }), {
    code: "rewind_unconfirmed",
  });
  assert.equal(await read("late.txt"), "late");
  assert.equal(gitIn(cwd, "rev-parse", "HEAD"), mine);
  // What only turns did goes back without a question.
  await client.rewindSession(id, { turn: 1 });
  assert.equal(await read("mine.txt"), null);
  assert.notEqual(gitIn(cwd, "rev-parse", "HEAD"), mine);
  await say(client, id, "write third.txt 3");
  await client.rewindSession(id, { turn: 1, edits: "refuse" });
  assert.equal(await read("third.txt"), null);
});

test("[P12] [CPT-32] kept, a person's edits and commits stay, and what the turns did goes back", async ({
  client,
  workspace,
}) => {
  const { cwd, id, mine, read } = await besideTheAgent(workspace, client);
  const done = await client.rewindSession(id, { turn: 1, edits: "keep" });
  assert.equal(done.keeps_edits, true);
  assert.equal(done.head?.moves, false);
  const names = ["agent.txt", "second.txt", "a.txt", "mine.txt", "late.txt"];
  assert.deepEqual(await Promise.all(names.map(read)), [
    "1",
    null,
    "edited",
    "mine",
    "late",
  ]);
  assert.equal(gitIn(cwd, "rev-parse", "HEAD"), mine);
});
