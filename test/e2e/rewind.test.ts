/** Going back to an earlier turn, and going on from one elsewhere. */
import assert from "node:assert/strict";
import { readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import { say, seenUntil, type TestHouse } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";
import { listing } from "./tree-listing.ts";

const test = sharedHouse();

/** Five turns; turn n remembers `key<n>` and writes n to `file.txt` and to `<n>.txt`. */
const fiveTurns = async (client: Client, cwd: string): Promise<string> => {
  const { id } = await client.createSession({ cwd });
  for (const n of [1, 2, 3, 4, 5])
    await say(
      client,
      id,
      `remember key${n}=value${n}\nwrite file.txt ${n}\nwrite ${n}.txt ${n}`,
    );
  return id;
};

const recall = async (client: Client, id: string, key: string) =>
  (await say(client, id, `recall ${key}`)).trim();

/** Says it, and waits until what the turn did is captured: what others do later is then told apart from it. */
const sayCaptured = async (
  client: Client,
  id: string,
  text: string,
): Promise<void> => {
  const { last_seq } = await client.showSession(id);
  await say(client, id, text);
  await seenUntil(
    client,
    id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "turn",
    last_seq,
  );
};

const sessionFiles = async (house: TestHouse): Promise<Map<string, string>> => {
  const directory = join(house.directory, ".reprise-demo/sessions");
  const names = await readdir(directory);
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [
        name,
        await readFile(join(directory, name), "utf8"),
      ]),
    ),
  );
};

const ownFile = async (
  house: TestHouse,
  client: Client,
  id: string,
): Promise<string> => {
  const { metadata } = await client.showSession(id);
  const files = await sessionFiles(house);
  return files.get(`${metadata.resume_token}.jsonl`) ?? "";
};

test("[CPT-7] [CPT-10] fork at turn 2 of 5, rewind to turn 3: each knows what was said up to there and nothing later", async ({
  house,
  client,
  workspace,
}) => {
  const bystander = await client.createSession({
    checkpoints: false,
  });
  await say(client, bystander.id, "remember other=mine");
  const id = await fiveTurns(client, workspace);
  const others = await ownFile(house, client, bystander.id);
  const original = await ownFile(house, client, id);

  const fork = await client.forkSession(id, { turn: 2 });
  assert.deepEqual(fork.parent, { session_id: id, turn: 2 });
  assert.notEqual(fork.cwd, workspace);
  assert.equal(await recall(client, fork.id, "key2"), "key2=value2");
  assert.equal(await recall(client, fork.id, "key3"), "key3 is unknown");
  const { resume } = await client.showSession(fork.id);
  assert.deepEqual(
    [resume?.path, resume?.grade, resume?.workspace],
    ["cold", "native", "restored"],
  );
  assert.equal(await readFile(join(fork.cwd, "file.txt"), "utf8"), "2");
  assert.deepEqual((await readdir(fork.cwd)).sort(), [
    "1.txt",
    "2.txt",
    "file.txt",
  ]);
  const forked = await ownFile(house, client, fork.id);
  assert.match(forked, /value2/);
  assert.doesNotMatch(forked, /value3/);
  const { messages } = await client.listMessages(fork.id);
  assert.ok(messages.some(({ text }) => text.includes("key1=value1")));
  assert.ok(!messages.some(({ text }) => text.includes("key5=value5")));

  assert.equal(await ownFile(house, client, id), original, "not touched");
  const five = await listing(workspace);
  const preview = await client.rewindSession(id, { turn: 3, dry_run: true });
  assert.equal(preview.conversation, "native");
  assert.deepEqual(
    preview.changes.map(({ path, kind }) => `${kind} ${path}`).sort(),
    ["modified file.txt", "removed 4.txt", "removed 5.txt"],
  );
  assert.deepEqual(await listing(workspace), five, "a preview is free");

  await client.rewindSession(id, { turn: 3 });
  assert.equal(await readFile(join(workspace, "file.txt"), "utf8"), "3");
  assert.equal(await recall(client, id, "key3"), "key3=value3");
  assert.equal(await recall(client, id, "key4"), "key4 is unknown");
  const rewound = await ownFile(house, client, id);
  assert.doesNotMatch(rewound, /value4|value5/);
  assert.notEqual(rewound, original);
  assert.equal(await ownFile(house, client, bystander.id), others);
  assert.equal(await recall(client, bystander.id, "other"), "other=mine");

  // The undo of the undo: what was there before the rewind.
  await client.rewindSession(id, { turn: 5 });
  assert.equal(await recall(client, id, "key5"), "key5=value5");
  assert.ok((await readdir(workspace)).includes("5.txt"));
});

test("[CPT-7] an agent without sessions of its own is told the history up to that turn", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createSession({
    agent: "demo-inject",
    cwd: workspace,
  });
  for (const n of [1, 2, 3])
    await say(client, id, `remember key${n}=value${n}`);
  const plan = await client.rewindSession(id, { turn: 1 });
  assert.equal(plan.conversation, "injected");
  assert.equal(await recall(client, id, "key1"), "key1=value1");
  assert.equal(await recall(client, id, "key2"), "key2 is unknown");
  assert.equal((await client.showSession(id)).resume?.grade, "injected");
});

test("[CPT-8] in a shared directory only what this session changed goes back; what others changed since is in the way", async ({
  client,
  workspace,
}) => {
  const cwd = workspace;
  const file = (name: string) => readFile(join(cwd, name), "utf8");
  const mine = await client.createSession({ cwd });
  const other = await client.createSession({ cwd });
  await sayCaptured(client, mine.id, "write mine.txt 1");
  await sayCaptured(client, other.id, "write theirs.txt 1");
  await sayCaptured(client, mine.id, "write mine.txt 2");
  await sayCaptured(client, other.id, "write theirs.txt 2");
  await writeFile(join(cwd, "person.txt"), "a person's");
  await client.rewindSession(mine.id, { turn: 1 });
  assert.equal(await file("mine.txt"), "1");
  assert.equal(await file("theirs.txt"), "2");
  assert.equal(await file("person.txt"), "a person's");

  await sayCaptured(client, mine.id, "write both.txt mine");
  await sayCaptured(client, other.id, "write both.txt theirs");
  const before = await listing(cwd);
  await assert.rejects(
    client.rewindSession(mine.id, { turn: 1 }),
    (error: Error) =>
      error.message.includes("both.txt") &&
      "code" in error &&
      error.code === "rewind_conflict",
  );
  assert.deepEqual(await listing(cwd), before);
});

test("[CPT-8] [P8] a directory is the same by every name, and ours is nobody's workspace", async ({
  house,
  client,
  workspace,
}) => {
  const link = join(house.directory, "link");
  await symlink(workspace, link);
  const one = await client.createSession({ cwd: workspace });
  const two = await client.createSession({ cwd: link });
  assert.equal(two.cwd, one.cwd);
  const { events } = await client.listEvents(one.id);
  assert.ok(events.some(({ type }) => type === "session.workspace.shared"));
  const own = await client.createSession({});
  for (const cwd of [house.home, dirname(own.cwd)])
    await assert.rejects(client.createSession({ cwd }), /Reprise itself/);
});

test("[CPT-10] an ended session can be forked, and what it was is still there", async ({
  client,
  workspace,
}) => {
  const id = await fiveTurns(client, workspace);
  await client.endSession(id);
  const fork = await client.forkSession(id);
  assert.equal(await recall(client, fork.id, "key5"), "key5=value5");
  await assert.rejects(client.rewindSession(id, { turn: 1 }), /has ended/);
});

test("[CPT-12] another agent goes on in the same workspace and is told the history", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createSession({
    cwd: workspace,
    prompt: "remember pass=mellon",
  });
  await say(client, id, "write a.txt one");
  const handed = await client.handOffSession(id, "demo-inject");
  assert.equal(handed.agent, "demo-inject");
  assert.equal(await recall(client, id, "pass"), "pass=mellon");
  const { resume } = await client.showSession(id);
  assert.equal(resume?.grade, "injected");
  assert.match(resume?.lost ?? "", /own memory/);
  assert.equal(await readFile(join(workspace, "a.txt"), "utf8"), "one");
});

test("[CPT-11] what a turn changed, what is different now, and as text", async ({
  client,
  workspace,
}) => {
  const id = await fiveTurns(client, workspace);
  await client.pauseSession(id);
  const names = (changes: readonly { path: string; kind: string }[]) =>
    changes.map(({ path, kind }) => `${kind} ${path}`).sort();
  const turn = await client.showDiff(id, { from: "3", to: "4", text: true });
  assert.deepEqual(names(turn.changes), ["added 4.txt", "modified file.txt"]);
  assert.match(turn.text ?? "", /-3\n.*\+4\n/s);
  await writeFile(join(workspace, "file.txt"), "person");
  const now = await client.showDiff(id, { from: "5", to: "now" });
  assert.deepEqual(names(now.changes), ["modified file.txt"]);
});
