import assert from "node:assert/strict";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[API-171] sessions are found by agent, by the beginning of their id and by whether they need somebody", async (scene) => {
  const { client, workspace: cwd } = scene;
  const one = await client.createSession({ agent: "demo", cwd });
  const two = await client.createSession({ agent: "demo-fresh", cwd });
  const found = async (
    query: NonNullable<Parameters<typeof client.listSessions>[0]>,
  ): Promise<string[]> =>
    (await client.listSessions({ cwd, ...query })).sessions.map(({ id }) => id);
  assert.deepEqual(await found({ agent: "demo-fresh" }), [two.id]);
  assert.deepEqual(await found({ agent: "demo" }), [one.id]);
  assert.deepEqual(await found({ agent: "nobody" }), []);
  assert.deepEqual(await found({ prefix: one.id }), [one.id]);
  assert.deepEqual(await found({ prefix: "ses_" }), [two.id, one.id]);
  await assert.rejects(found({ prefix: "ses_%" }), { code: "invalid_request" });
  assert.deepEqual(await found({ needs_you: true }), []);
});

test("[API-169] the most recent session is chosen once for each key, also when the server dies after it", async (scene) => {
  const { workspace: cwd } = scene;
  const agent = "demo";
  const one = await scene.client.createSession({ agent, cwd });
  const two = await scene.client.createSession({ agent, cwd });
  const key = crypto.randomUUID();
  const request = { agent, cwd };
  const chosen = await scene.client.chooseMostRecent(request, { key });
  assert.equal(chosen.id, two.id);
  await scene.server.kill();
  await scene.up();
  const { client } = scene;
  await client.queuePrompt(one.id, { text: "recall x" });
  assert.equal((await client.chooseMostRecent(request)).id, one.id);
  assert.equal((await client.chooseMostRecent(request, { key })).id, two.id);
  await assert.rejects(
    client.chooseMostRecent({ agent: "demo-fresh", cwd }, { key }),
    { code: "idempotency_conflict" },
  );
  await assert.rejects(client.chooseMostRecent({ agent: "demo-fresh", cwd }), {
    code: "session_not_found",
  });
});

test("[API-181] the most recent session of a directory that is not named whole is refused", async ({
  client,
}) => {
  await assert.rejects(
    client.chooseMostRecent({ agent: "demo", cwd: "here" }),
    { code: "invalid_request", message: /cwd must be an absolute path/ },
  );
});

test("[API-170] a prompt is found by its key alone, whatever session it went to", async (scene) => {
  const { client, workspace: cwd } = scene;
  const { id } = await client.createSession({ cwd });
  const key = crypto.randomUUID();
  assert.deepEqual(await client.findPrompts(key), { prompts: [], next: null });
  const given = await client.queuePrompt(id, { text: "recall x" }, { key });
  const { prompts } = await client.findPrompts(key);
  assert.deepEqual(
    prompts.map((each) => [each.session_id, each.id]),
    [[id, given.id]],
  );
});

test("[API-174] a value that was agreed on outlives the server", async (scene) => {
  const params = { name: "outlives" };
  const agree = async (value: string): Promise<string | null> =>
    (await scene.client.call("agree", { params, body: { value } })).value;
  assert.equal(await agree("first"), "first");
  await scene.server.kill();
  await scene.up();
  assert.equal(await agree("second"), "first");
  const shown = await scene.client.call("showAgreement", { params });
  assert.equal(shown.value, "first");
});
