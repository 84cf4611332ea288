/** Settings of a session reach its agent while that runs, and each later start. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Latch } from "../../src/kit/fixtures/latch.ts";
import { isWords, seenUntil, spoken, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[LNK-99] [SES-88] [API-163] the mode of an agent that runs is changed, also in the middle of a turn, and holds after a pause and a restart", async (scene) => {
  const { client, house, workspace } = scene;
  const { id } = await client.createSession({ cwd: workspace });
  await seenUntil(client, id, ({ type }) => type === "session.agent.ready");
  const { offered } = await client.showSession(id);
  assert.deepEqual(
    offered?.modes?.available.map((mode) => mode.id),
    ["work", "read-only"],
  );

  using latch = new Latch(house.directory);
  const text = `count 1 0\nrun ${latch.wait}\nwrite a.txt x`;
  await client.queuePrompt(id, { text });
  await seenUntil(client, id, isWords);
  const changed = await client.changeSession(id, { mode: "read-only" });
  assert.equal(changed.state, "RUNNING");
  assert.equal(changed.applied?.mode?.value, "read-only");
  assert.equal(changed.offered?.modes?.current, "read-only");
  latch.open();
  const seen = await seenUntil(client, id, turnEnded(1));
  assert.match(spoken(seen), /I only read: write is left undone/);
  assert.equal(existsSync(join(workspace, "a.txt")), false);

  await client.pauseSession(id);
  await scene.server.kill();
  const next = await scene.up();
  const back = await next.client.resumeSession(id);
  assert.equal(back.applied?.mode?.value, "read-only");
});

test("[LNK-100] [LNK-103] [API-163] options are set while it runs and at each start; what is not offered changes nothing", async (scene) => {
  const { client, workspace } = scene;
  const { id } = await client.createSession({ cwd: workspace });
  await seenUntil(client, id, ({ type }) => type === "session.agent.ready");
  const options = { voice: "loud" };
  await client.changeSession(id, { options, name: "shouting" });
  await client.queuePrompt(id, { text: "hello" });
  assert.match(
    spoken(await seenUntil(client, id, turnEnded(1))),
    /You said: HELLO/,
  );

  await assert.rejects(
    client.changeSession(id, { mode: "read-only", options: { voice: "high" } }),
    { code: "restriction_not_held" },
  );
  const after = await client.showSession(id);
  assert.deepEqual(
    [after.name, after.definition.mode, after.applied?.mode?.value],
    ["shouting", undefined, "work"],
  );
  await client.pauseSession(id);
  await client.queuePrompt(id, { text: "again" });
  const seen = await seenUntil(client, id, turnEnded(2));
  assert.match(spoken(seen), /You said: AGAIN/);
});

test("[LNK-100] [P11] settings that were changed while no agent ran stop the next start when they do not hold", async (scene) => {
  const { client, workspace } = scene;
  const { id } = await client.createSession({ cwd: workspace });
  await seenUntil(client, id, ({ type }) => type === "session.agent.ready");
  await client.pauseSession(id);
  const { state } = await client.changeSession(id, { mode: "readonly" });
  assert.equal(state, "PAUSED");
  await assert.rejects(client.resumeSession(id), {
    code: "restriction_not_held",
  });
  await client.changeSession(id, { mode: "read-only" });
  const back = await client.resumeSession(id);
  assert.equal(back.applied?.mode?.value, "read-only");
});
