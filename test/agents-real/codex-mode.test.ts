/** What a person has configured for Codex holds, and so does the mode of a session. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { changedTo, seenUntil } from "../e2e/house.ts";
import { Scene } from "./scene.ts";

test('[LNK-59] [LNK-56] codex: sandbox_mode = "read-only" holds at the start and after a resume; a mode that it does not have stops it', async () => {
  await using scene = await Scene.make("codex");
  const { client, house, stage } = scene;
  const config = join(stage.home, "config.toml");
  const before = await readFile(config, "utf8");
  await writeFile(config, `sandbox_mode = "read-only"\n${before}`);
  const file = join(house.workspace, "written.txt");
  const asksToWrite = async (id: string): Promise<void> => {
    const { last_seq } = await client.showSession(id);
    await client.queuePrompt(id, { text: `write ${file} hello` });
    await seenUntil(
      client,
      id,
      ({ type }) => type === "session.permission.requested",
      last_seq,
    );
    const { applied } = await client.showSession(id);
    assert.deepEqual(applied?.mode, { value: "read-only", held: "agent" });
  };

  const id = await scene.begin();
  await asksToWrite(id);
  await client.pauseSession(id);
  await scene.dropUnresolved(id);
  const { resume } = await client.resumeSession(id);
  assert.equal(resume?.grade, "native");
  await asksToWrite(id);
  assert.ok(!existsSync(file), "nobody allowed it");

  const typo = await client.createSession({
    agent: "codex",
    cwd: house.workspace,
    mode: "readonly",
    prompt: `write ${file} hello`,
  });
  await seenUntil(client, typo.id, changedTo("ERROR"));
  const { restriction, queued_prompts } = await client.showSession(typo.id);
  assert.equal(restriction?.asked, "readonly");
  assert.ok(restriction.valid.includes("read-only"));
  assert.equal(queued_prompts.length, 1);
  assert.equal(scene.asked(`write ${file} hello`), 2, "of the other session");
});
