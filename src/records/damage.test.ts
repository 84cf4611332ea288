import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFile,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Story } from "../session/testing.ts";
import { conversationIn, Desk } from "./fixtures/desk.ts";
import { turn } from "./fixtures/tell.ts";

/** What may happen to the files of a session that nobody works on. */
const damages: Record<string, (desk: Desk) => Promise<unknown>> = {
  "the whole directory is gone": (desk) =>
    rm(desk.directory, { recursive: true }),
  "the log is shorter": (desk) => truncate(desk.path("session.log"), 10),
  "the log is longer": (desk) => appendFile(desk.path("session.log"), "mine"),
  "the history is gone": (desk) => rm(desk.path("history.jsonl")),
  "the conversation is empty": (desk) =>
    truncate(desk.path("conversation.json"), 0),
  "the conversation's end is another": async (desk) => {
    const text = await desk.read("conversation.json");
    await writeFile(
      desk.path("conversation.json"),
      text.replace("after 1", "AFTER\n1"),
    );
  },
  "the metadata is no JSON": (desk) =>
    writeFile(desk.path("metadata.json"), "{"),
  "the metadata is of another release": async (desk) => {
    const text = await desk.read("metadata.json");
    await writeFile(
      desk.path("metadata.json"),
      text.replace('"format": 1', '"format": 0'),
    );
  },
  "the journal is an older one": async (desk) => {
    const text = await desk.read("metadata.json");
    await writeFile(
      desk.path("metadata.json"),
      text.replace(/"last_seq": \d+/, '"last_seq": 1000000'),
    );
  },
  "a draft was left behind": async (desk) => {
    await mkdir(desk.path("elsewhere"));
    await symlink(desk.path("elsewhere/x"), desk.path("conversation.json.new"));
    await symlink(desk.path("elsewhere/y"), desk.path("metadata.json.new"));
  },
  "the log is a FIFO": async (desk) => {
    await rm(desk.path("session.log"));
    execFileSync("mkfifo", [desk.path("session.log")]);
  },
};

for (const [damage, happen] of Object.entries(damages))
  for (const when of ["at rest", "during a turn"])
    test(`${damage} ${when}: the files are right again with the next event`, async () => {
      await using desk = await Desk.make();
      const story = turn(new Story().up(), 1);
      await desk.write(story);
      if (when === "at rest") {
        await desk.write(story.die());
        await happen(desk);
        await desk.write(story.queue(2).begin().ready().deliver(2));
      } else {
        await desk.write(story.queue(2).deliver(2).say("one"));
        await happen(desk);
        desk.tell(story.say(" two"));
      }
      await desk.write(story.endTurn(2));
      await desk.write(turn(story, 3));
      assert.deepEqual(await desk.messages(), conversationIn(story.events));
      assert.deepEqual(await desk.everything(), await anew(story));
      assert.ok((await lstat(desk.path("session.log"))).isFile());
      assert.ok(desk.warnings.length <= 1);
    });

test("a file that was replaced by a link is replaced again; what it led to stays as it is", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story().up(), 1);
  await desk.write(story);
  const moved = new Map<string, string>();
  for (const name of ["session.log", "history.jsonl", "conversation.json"]) {
    moved.set(name, await desk.read(name));
    await rename(desk.path(name), join(desk.root, name));
    await symlink(join(desk.root, name), desk.path(name));
  }
  await desk.write(turn(story, 2));
  for (const [name, text] of moved)
    assert.equal(await readFile(join(desk.root, name), "utf8"), text);
  assert.deepEqual(await desk.everything(), await anew(story));
});

test("a directory that was replaced by a link is not followed, is said once, and is no trouble to the session", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story().up(), 1);
  await desk.write(story);
  const moved = join(desk.root, "moved");
  await rename(desk.directory, moved);
  await cp(moved, join(desk.root, "before"), { recursive: true });
  await symlink(moved, desk.directory);
  for (const n of [2, 3, 4, 5]) await desk.write(turn(story, n));
  for (const name of await readdir(moved))
    assert.deepEqual(
      await readFile(join(moved, name)),
      await readFile(join(desk.root, "before", name)),
      name,
    );
  assert.equal(desk.warnings.length, 1);

  await rm(desk.directory);
  await desk.write(turn(story, 6));
  assert.deepEqual(await desk.everything(), await anew(story));
});

test("where nothing can be written, it is said once per session and tried only now and then", async () => {
  await using desk = await Desk.make();
  await writeFile(desk.directory, "not a directory");
  const story = new Story().up();
  for (const n of [1, 2, 3]) desk.tell(turn(story, n));
  await desk.recorder.drain();
  for (const n of [4, 5, 6]) desk.tell(turn(story, n));
  await desk.recorder.drain();
  assert.equal(desk.warnings.length, 1);
  assert.equal(desk.reads, 0);

  await rm(desk.directory);
  await desk.write(turn(story, 7));
  assert.deepEqual(await desk.everything(), await anew(story));
  await rm(desk.directory, { recursive: true });
  await writeFile(desk.directory, "again");
  await desk.write(turn(story, 8));
  assert.equal(desk.warnings.length, 2);
});

test("a file in the way of one of ours keeps the others from nothing but being written", async () => {
  await using desk = await Desk.make();
  await mkdir(desk.path("session.log"), { recursive: true });
  const story = turn(new Story().up(), 1);
  await desk.write(story);
  assert.equal(desk.warnings.length, 1);
  await rm(desk.path("session.log"), { recursive: true });
  await desk.write(story.die());
  assert.deepEqual(await desk.everything(), await anew(story));
});

/** What a recorder writes that sees the whole story at once. */
const anew = async (story: Story) => {
  await using desk = await Desk.make();
  await desk.write(story);
  return await desk.everything();
};
