/** Undoing a rewind: what was there before it comes back, and what a person did since is not lost unasked. */
import assert from "node:assert/strict";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  gitIn,
  makeRepository,
} from "../../src/agentctl/fixtures/repository.ts";
import type { Client } from "../../src/client/client.ts";
import type { Rewound } from "../../src/contract/api/checkpoint-route.ts";
import { say } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

/** Turn n remembers `key<n>` and writes n to `f`. */
const turns = async (
  client: Client,
  cwd: string,
  count: number,
): Promise<string> => {
  const { id } = await client.createSession({ cwd });
  for (let n = 1; n <= count; n += 1)
    await say(client, id, `remember key${n}=value${n}\nwrite f ${n}`);
  return id;
};

/** As the command that a rewind prints: it undoes no edit of a person. */
const undo = (client: Client, id: string, done: Rewound): Promise<Rewound> => {
  assert.ok(done.undo !== undefined);
  const { checkpoint } = done.undo;
  return client.rewindSession(id, { checkpoint, edits: "refuse" });
};

test("[CPT-51] the undo of the second of two rewinds in a row brings back files, turns and memory of what was before it", async ({
  client,
  workspace,
}) => {
  const id = await turns(client, workspace, 4);
  await client.rewindSession(id, { turn: 3 });
  const second = await client.rewindSession(id, { turn: 2 });
  assert.partialDeepStrictEqual(second.undo, {
    turn: 3,
    conversation: "native",
  });
  const back = await undo(client, id, second);
  assert.deepEqual([back.turn, back.conversation], [3, "native"]);
  const { turn_count, turns_left_behind } = back.session;
  assert.deepEqual([turn_count, turns_left_behind], [4, 1]);
  assert.equal(await readFile(join(workspace, "f"), "utf8"), "3");
  const changes = async (turn: number) => {
    const plan = await client.rewindSession(id, { turn, dry_run: true });
    return [plan.changes, plan.edits];
  };
  const modified = [{ path: "f", kind: "modified" }];
  assert.deepEqual(await changes(4), [modified, undefined]);
  assert.deepEqual(await changes(0), [
    [{ path: "f", kind: "removed" }],
    undefined,
  ]);
  // What the newest turn did is not what the one did that was left behind.
  const diff = await client.showDiff(id, { text: true });
  assert.match(diff.text ?? "", /-2\n.*\+3\n/s);

  assert.equal((await say(client, id, "recall key3")).trim(), "key3=value3");
  assert.equal((await client.showSession(id)).resume?.grade, "native");
  assert.match(await say(client, id, "recall key4"), /key4 is unknown/);
});

test("[CPT-51] the undo of an undo is the rewind again", async ({
  client,
  workspace,
}) => {
  const id = await turns(client, workspace, 2);
  const first = await client.rewindSession(id, { turn: 1 });
  const undone = await undo(client, id, first);
  assert.deepEqual([undone.turn, undone.undo?.turn], [2, 1]);
  const again = await undo(client, id, undone);
  assert.deepEqual([again.turn, again.conversation], [1, "native"]);
  assert.equal(await readFile(join(workspace, "f"), "utf8"), "1");
  assert.match(await say(client, id, "recall key2"), /key2 is unknown/);
});

test("[CPT-52] what a person changed after a rewind is told before its undo takes it back; what the rewind changed is not", async ({
  client,
  workspace,
}) => {
  const id = await turns(client, workspace, 2);
  await writeFile(join(workspace, "mine.txt"), "mine");
  const done = await client.rewindSession(id, { turn: 1 });
  await appendFile(join(workspace, "f"), " later");
  await assert.rejects(undo(client, id, done), { code: "rewind_unconfirmed" });
  assert.equal(await readFile(join(workspace, "f"), "utf8"), "1 later");
  const checkpoint = done.undo?.checkpoint;
  assert.ok(checkpoint !== undefined);
  const plan = await client.rewindSession(id, { checkpoint, dry_run: true });
  assert.deepEqual(plan.edits, [{ path: "f", kind: "modified" }]);
  await writeFile(join(workspace, "f"), "1");
  await undo(client, id, done);
  assert.equal(await readFile(join(workspace, "f"), "utf8"), "2");
  assert.equal(await readFile(join(workspace, "mine.txt"), "utf8"), "mine");
});

test("[CPT-52] HEAD goes back without a question where the rewind put it, and not where somebody committed since", async ({
  client,
  workspace,
}) => {
  const cwd = makeRepository(join(workspace, "repository"));
  const head = () => gitIn(cwd, "rev-parse", "HEAD");
  const { id } = await client.createSession({ cwd });
  await say(client, id, "write agent.txt 1");
  await say(
    client,
    id,
    "write agent.txt 2\nrun git add agent.txt && git -c user.name=t -c user.email=t@t commit -qm two",
  );
  const committed = head();
  const done = await client.rewindSession(id, { turn: 1 });
  assert.equal(done.head?.moves, true);
  assert.notEqual(head(), committed);
  const undone = await undo(client, id, done);
  assert.equal(head(), committed);

  const again = await undo(client, id, undone);
  gitIn(cwd, "commit", "-q", "--allow-empty", "-m", "my commit");
  const mine = head();
  await assert.rejects(undo(client, id, again), { code: "rewind_unconfirmed" });
  assert.equal(head(), mine);
});
