/** What a client hears of an agent whose quota is used up. */
import assert from "node:assert/strict";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Editor } from "./editor.ts";

const test = sharedHouse();

test("[ACP-27] a turn that a quota cut off is waited for where the session goes on with it, and answered with an error where it stops to", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const create = () =>
    client.createSession({
      cwd: workspace,
      on_quota: "continue",
      checkpoints: false,
    });
  const { id } = await create();
  assert.deepEqual(await editor.prompt(id, "quota 2"), {
    stopReason: "end_turn",
  });
  const other = await create();
  const waiting = editor.prompt(other.id, "quota 3600");
  await eventually(
    () => client.showSession(other.id),
    ({ unresolved_prompts }) => unresolved_prompts.length === 1,
  );
  await client.changeSession(other.id, { on_quota: "wait" });
  await assert.rejects(waiting, { code: -32603, data: { code: "quota" } });
});

test("[ACP-29] cancel drops a turn that a quota cut off and that would go on by itself", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const { id } = await client.createSession({
    cwd: workspace,
    on_quota: "continue",
    checkpoints: false,
  });
  const waiting = editor.prompt(id, "quota 3600");
  await eventually(
    () => client.showSession(id),
    ({ unresolved_prompts }) => unresolved_prompts.length === 1,
  );
  await editor.agent.notify("session/cancel", { sessionId: id });
  assert.deepEqual(await waiting, { stopReason: "cancelled" });
  assert.deepEqual((await client.showSession(id)).unresolved_prompts, []);
});

test("[ACP-36] a prompt that waits for a quota says until when, and cancel ends it", async ({
  house,
  client,
  workspace,
}) => {
  await using plain = await Editor.open(house);
  await using modern = await Editor.open(house, {
    name: "modern",
    capabilities: { session: { notices: {} } },
  });
  const { id } = await client.createSession({
    cwd: workspace,
    on_quota: "wait",
    checkpoints: false,
  });
  const cut = plain.prompt(id, "quota 3600");
  // It waits behind the turn that uses up the quota, or for the quota: told either way.
  const behind = plain.prompt(id, "count 1 0");
  await assert.rejects(cut, { code: -32603, data: { code: "quota" } });
  await plain.until(() => plain.said().includes("[Reprise]"));
  const { quota } = await client.showSession(id);
  const until = quota.prompts_wait_until ?? "";
  assert.match(until, /^\d{4}-/);
  const words = `The quota of demo is used up: the prompt waits until ${until}.`;
  assert.ok(plain.said().includes(`[Reprise] ${words} `), plain.said());
  const notices = () =>
    modern.updates.flatMap(({ update }) =>
      update.sessionUpdate === "notice" ? [update.title] : [],
    );
  const other = modern.prompt(id, "count 2 0");
  await modern.until(() => notices().includes(words));
  assert.doesNotMatch(modern.said(), /Reprise/);

  await plain.agent.notify("session/cancel", { sessionId: id });
  assert.deepEqual(await behind, { stopReason: "cancelled" });
  await modern.agent.notify("session/cancel", { sessionId: id });
  assert.deepEqual(await other, { stopReason: "cancelled" });
  assert.equal(plain.said().split(words).length, 2, "each is told once");

  // The first that waits makes a notice of the session too.
  const first = modern.prompt(id, "count 3 0");
  await modern.until(() => notices().filter((it) => it === words).length === 2);
  await client.resumeSession(id, { now: true });
  assert.deepEqual(await first, { stopReason: "end_turn" });
  assert.equal(
    notices().filter((title) => title.includes(until)).length,
    2,
    notices().join(),
  );
});
