/** What was deleted while a session rested comes back from its checkpoints. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { seenUntil, say } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";
import { git, listing } from "./tree-listing.ts";

const test = sharedHouse();

const run = promisify(execFile);

test("[CPT-4] [P3] workspace and agent home are deleted while paused: the resume brings both back, and says so", async ({
  house,
  client,
  workspace: work,
}) => {
  await git(work, "init", "-q");
  await mkdir(join(work, "node_modules/.bin"), { recursive: true });
  await mkdir(join(work, "node_modules/tool"));
  await writeFile(
    join(work, "node_modules/tool/cli"),
    "#!/bin/sh\necho it runs\n",
  );
  await chmod(join(work, "node_modules/tool/cli"), 0o755);
  await symlink("../tool/cli", join(work, "node_modules/.bin/tool"));
  await mkdir(join(work, "empty"));
  await writeFile(join(work, "secret"), "x", { mode: 0o600 });
  const session = await client.createSession({
    cwd: work,
    prompt: "remember pass=mellon",
  });
  await say(client, session.id, "write src.txt words\nwrite sub/more.txt more");
  await git(work, "add", "-A");
  await git(work, "commit", "-qm", "one");
  await say(client, session.id, "write src.txt changed");
  await client.pauseSession(session.id);
  const before = await listing(work);

  await rm(work, { recursive: true });
  await rm(join(house.directory, ".reprise-demo"), { recursive: true });
  const { resume } = await client.resumeSession(session.id);
  assert.deepEqual(
    [resume?.path, resume?.grade, resume?.verified, resume?.workspace],
    ["cold", "native", true, "restored"],
  );
  assert.deepEqual(await listing(work), before);
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
  assert.doesNotMatch(await git(work, "fsck", "--full"), /error|missing/);
  assert.equal(await git(work, "status", "--short"), " M src.txt\n");
  const { stdout } = await run(join(work, "node_modules/.bin/tool"));
  assert.equal(stdout, "it runs\n");
});

test("[CPT-5] [P3] a workspace that somebody changed meanwhile is kept, and the resume says so", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({
    cwd: workspace,
    prompt: "write a.txt agent",
  });
  await say(client, session.id, "hello");
  const workspaceAfter = async (): Promise<string | null | undefined> => {
    await client.pauseSession(session.id);
    return (await client.resumeSession(session.id)).resume?.workspace;
  };
  assert.equal(await workspaceAfter(), "unchanged");
  await client.pauseSession(session.id);
  await writeFile(join(workspace, "a.txt"), "person");
  const kept = await listing(workspace);
  const { resume } = await client.resumeSession(session.id);
  assert.equal(resume?.workspace, "changed");
  assert.deepEqual(await listing(workspace), kept);
});

test("[CPT-4] everything dies and the workspace is deleted: the turn that was cut off comes back with what it had written", async (scene) => {
  const { house, server: first, workspace } = scene;
  const session = await first.client.createSession({
    cwd: workspace,
    prompt: "remember pass=mellon",
  });
  await say(first.client, session.id, "write a.txt one");
  await seenUntil(
    first.client,
    session.id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.turn === 2,
  );
  await first.kill();
  await house.killAgentctl();
  await rm(workspace, { recursive: true });
  const { client } = await scene.up();
  const { resume } = await client.resumeSession(session.id);
  assert.equal(resume?.path, "cold");
  assert.equal(resume?.workspace, "restored");
  assert.match(await say(client, session.id, "recall pass"), /mellon/);
});

test("[CPT-17] without checkpoints a missing workspace cannot be brought back, and that is said", async ({
  client,
  workspace,
}) => {
  const session = await client.createSession({
    cwd: workspace,
    checkpoints: false,
  });
  await say(client, session.id, "write a.txt one");
  await client.pauseSession(session.id);
  assert.deepEqual((await client.listCheckpoints(session.id)).checkpoints, []);
  await rm(workspace, { recursive: true });
  await assert.rejects(client.resumeSession(session.id), /no checkpoint of it/);
});
