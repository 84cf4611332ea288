/** The workspace of a session from outside, with a real server and the demo agent. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { heldAt } from "../../src/kit/fixtures/held-turn.ts";
import { root, seenUntil, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

const run = promisify(execFile);

test("[WSP-17] files are read and written while the agent is paused, while it runs, and after a restart of the server", async (scene) => {
  const { house, workspace } = scene;
  const { client } = scene;
  const { id } = await client.createSession({
    agent: "demo",
    cwd: workspace,
    prompt: "hello",
  });
  await seenUntil(client, id, turnEnded(1));
  await client.pauseSession(id);
  const written = await client.writeFile(id, "src/a.txt", "paused\n");
  assert.equal(written.created, true);
  const { entries } = await client.listFiles(id);
  assert.deepEqual(
    entries.map(({ name, kind }) => [name, kind]),
    [["src", "directory"]],
  );
  const read = await client.readFile(id, "src/a.txt");
  assert.equal(new TextDecoder().decode(read?.bytes), "paused\n");
  assert.equal(read?.etag, written.etag);
  assert.equal(
    await client.readFile(id, "src/a.txt", { ifNoneMatch: written.etag }),
    null,
  );

  const latch = house.latch();
  await client.resumeSession(id);
  await client.queuePrompt(id, { text: heldAt(latch) });
  await seenUntil(
    client,
    id,
    ({ type, data }) => type === "session.turn.started" && data.turn === 2,
  );
  const again = await client.writeFile(id, "src/a.txt", "while it runs\n", {
    ifMatch: written.etag,
  });
  assert.equal(again.created, false);
  await assert.rejects(
    client.writeFile(id, "src/a.txt", "lost", { ifMatch: written.etag }),
    { code: "precondition_failed" },
  );
  await assert.rejects(
    client.writeFile(id, "src/a.txt", "lost", { isNew: true }),
    { code: "precondition_failed" },
  );
  const found = await client.searchFiles(id, "WHILE", {
    case: "insensitive",
  });
  assert.deepEqual(
    found.matches.map(({ path, line }) => [path, line]),
    [["src/a.txt", 1]],
  );
  latch.open();
  await seenUntil(client, id, turnEnded(2));

  await scene.server.stop();
  await scene.up();
  assert.equal(
    readFileSync(join(workspace, "src/a.txt"), "utf8"),
    "while it runs\n",
  );
  const after = await scene.client.readFile(id, "src/a.txt");
  assert.equal(after?.etag, again.etag);
  assert.deepEqual(readdirSync(join(workspace, "src")), ["a.txt"]);

  await scene.client.pauseSession(id);
  rmSync(workspace, { recursive: true });
  await assert.rejects(scene.client.listFiles(id), {
    code: "workspace_missing",
  });
  await scene.client.deleteSession(id);
  await assert.rejects(scene.client.listFiles(id), {
    code: "session_deleted",
  });
  const other = id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  await assert.rejects(scene.client.listFiles(other), {
    code: "session_not_found",
  });
});

test("[WSP-25] the command line lists, reads, writes, searches and asks git", async (scene) => {
  const { house, workspace, client } = scene;
  const { id } = await client.createSession({
    agent: "demo",
    cwd: workspace,
    prompt: "hello",
  });
  await seenUntil(client, id, turnEnded(1));
  const cli = async (...args: string[]) => {
    const bin = join(root, "bin/reprise");
    const { stdout } = await run(bin, ["session", ...args], {
      env: house.env(),
      encoding: "buffer",
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };
  const text = async (...args: string[]) => (await cli(...args)).toString();
  const bytes = Buffer.alloc(9 * 1024 * 1024, "reprise \xff\0");
  const file = join(house.directory, "large");
  writeFileSync(file, bytes);
  assert.match(await text("put", id, "large", file), /large is made/);
  assert.equal((await cli("cat", id, "large")).equals(bytes), true);
  writeFileSync(join(workspace, "a\u001b[31m.txt"), "a TODO here\n");
  const listed = await text("files", id);
  assert.match(listed, /-\s+12 B\s+\S+.*a\.txt/);
  assert.equal(listed.includes("\u001b"), false);
  assert.match(await text("search", id, "TODO"), /a\.txt:1: a TODO here/);
  await run("git", ["init", "-q", "-b", "main", workspace]);
  assert.match(await text("git", id, "status"), /^on main\n/);
  const status: unknown = JSON.parse(await text("git", id, "status", "--json"));
  assert.equal(Reflect.get(Object(status), "branch"), "main");
  assert.match(await text("git", id, "log"), /Nothing was committed yet/);
});
