/** A session leaves one machine in a file and goes on elsewhere. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { say, TestHouse } from "./house.ts";
import { listing } from "./tree-listing.ts";

test("[CPT-13] export, remove everything, import into another home with another path: recall works natively", async () => {
  await using target = await TestHouse.make();
  const file = join(target.directory, "session.reprise");
  let id: string;
  let before: string[];
  {
    await using source = await TestHouse.make();
    const { client } = await source.up();
    const session = await client.createSession({
      cwd: source.workspace,
      prompt: "remember pass=mellon",
      env: { SECRET_TOKEN: "hush-hush" },
    });
    id = session.id;
    await say(client, id, "write deep/a.txt one\nwrite b.txt two");
    await client.pauseSession(id);
    before = await listing(source.workspace);
    await writeFile(`${file}.part`, "mine");
    const exported = await source.cli(["session", "export", id, file]);
    assert.equal(exported.code, 0, exported.err);
    const again = await source.cli(["session", "export", id, file]);
    assert.notEqual(again.code, 0, "a file that is there is not overwritten");
    assert.equal(await readFile(`${file}.part`, "utf8"), "mine");
  }
  assert.doesNotMatch(await readFile(file, "latin1"), /hush-hush/);

  const { client } = await target.up();
  const imported = await target.cli(["session", "import", file, "--json"]);
  assert.equal(imported.code, 0, imported.err);
  const session = await client.showSession(id);
  assert.equal(session.state, "PAUSED");
  const { resume } = await client.resumeSession(id);
  assert.deepEqual(
    [resume?.path, resume?.grade, resume?.workspace],
    ["cold", "native", "restored"],
  );
  assert.deepEqual(await listing(session.cwd), before);
  assert.match(await say(client, id, "recall pass"), /pass=mellon/);
  const { messages } = await client.listMessages(id);
  assert.ok(messages.some(({ text }) => text.includes("remember pass")));

  const twice = await target.cli(["session", "import", file]);
  assert.equal(twice.code, 4, twice.out + twice.err);
});

test("[CPT-13] a file that is cut, changed or none at all is refused, and nothing of it is kept", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const { id } = await client.createSession({
    cwd: house.workspace,
    prompt: "write a.txt one",
  });
  await say(client, id, "hello");
  await client.pauseSession(id);
  const file = join(house.directory, "good");
  await house.cli(["session", "export", id, file]);
  await client.deleteSession(id);
  const good = await readFile(file);
  const middle = Math.floor(good.length / 2);
  const flipped = Buffer.from(good);
  flipped[middle] = (flipped[middle] ?? 0) ^ 0xff;
  const { sessions: known } = await client.listSessions();
  for (const [name, bytes] of [
    ["cut", good.subarray(0, middle)],
    ["flipped", flipped],
    ["noise", Buffer.from("not an archive at all")],
    ["empty", Buffer.alloc(0)],
  ] as const) {
    const bad = join(house.directory, name);
    await writeFile(bad, bytes);
    const refused = await house.cli(["session", "import", bad]);
    assert.equal(refused.code, 1, `${name}: ${refused.out}${refused.err}`);
    await rm(bad);
  }
  assert.deepEqual((await client.listSessions()).sessions, known);
});

test("[CPT-14] a deleted session comes back from the trash; a purged one leaves nothing, and its room is freed", async () => {
  await using house = await TestHouse.make({ trash_days: 0 });
  const { client } = await house.up();
  const { id } = await client.createSession({ prompt: "remember a=b" });
  await say(client, id, "write a.txt one");
  await client.deleteSession(id);
  assert.deepEqual((await client.listSessions()).sessions, []);
  await assert.rejects(client.queuePrompt(id, { text: "x" }), /in the trash/);
  await client.undeleteSession(id);
  assert.match(await say(client, id, "recall a"), /a=b/);

  await client.deleteSession(id);
  const dry = await house.cli(["gc", "--dry-run", "--json"]);
  assert.equal(dry.code, 0, dry.err);
  assert.equal((await client.showSession(id)).id, id, "a dry run is free");
  const { code, err } = await house.cli(["gc"]);
  assert.equal(code, 0, err);
  await assert.rejects(client.showSession(id), /no session/);
});
