/** Server, agentctl and agent are killed around the moments at which quotas and budgets matter: nothing is lost or done twice. */
import assert from "node:assert/strict";
import type { Client } from "../../src/client/client.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import type { Event, EventType } from "../../src/contract/event/event.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { seenUntil, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

/** A quota that is used up for so long on a quiet machine: what a test does meanwhile takes longer on a slow one, half a minute at most. */
const usedUpFor = (seconds: number): string =>
  `quota ${Math.min(30, Math.ceil(patience(seconds * 1000) / 1000))}`;

const is =
  (type: EventType) =>
  (event: Event): boolean =>
    event.type === type;

/** The texts of the prompts whose turns began, in order; each once. */
const begun = (events: readonly Event[]): string[] => {
  const texts = new Map(
    events.flatMap((event) =>
      event.type === "session.prompt.queued"
        ? [[event.data.prompt_id, event.data.text] as const]
        : [],
    ),
  );
  const ids = events.flatMap((event) =>
    event.type === "session.prompt.delivered" ? [event.data.prompt_id] : [],
  );
  assert.equal(new Set(ids).size, ids.length, "no prompt is delivered twice");
  return ids.map((id) => texts.get(id) ?? "");
};

const isQueueEmpty = async (
  client: Client,
  id: SessionId,
): Promise<boolean> => {
  const { queued_prompts } = await client.showSession(id);
  return queued_prompts.length === 0;
};

test("[SES-153] prompts wait for the quota in their order, though server, agentctl and agent are killed meanwhile", async (scene) => {
  const { house, server: first, workspace } = scene;
  const prompt = usedUpFor(6);
  const { id } = await first.client.createSession({
    cwd: workspace,
    on_quota: "wait",
    prompt,
  });
  await first.client.queuePrompt(id, { text: "echo one" });
  await seenUntil(first.client, id, is("session.turn.interrupted"));
  await first.client.queuePrompt(id, { text: "echo two" });
  const held = await first.client.showSession(id);
  assert.equal(held.queued_prompts.length, 2);
  assert.equal(
    held.quota.prompts_wait_until,
    held.quota.used_up[0]?.until ?? "",
  );
  await first.kill();
  await endDaemon(house.home);

  const { client } = await scene.up();
  const seen = await seenUntil(client, id, turnEnded(3));
  assert.deepEqual(begun(seen), [prompt, "echo one", "echo two"]);
  assert.ok(await isQueueEmpty(client, id));
  const { unresolved_prompts } = await client.showSession(id);
  assert.equal(unresolved_prompts.length, 1, "it is still for a person");
});

test("[SES-154] a resume with `now` has the agent tried at once", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createSession({
    cwd: workspace,
    on_quota: "wait",
    prompt: "quota 3600",
  });
  await seenUntil(client, id, is("session.turn.interrupted"));
  await client.queuePrompt(id, { text: "echo now" });
  await client.resumeSession(id, { now: true });
  const seen = await seenUntil(client, id, turnEnded(2));
  assert.deepEqual(begun(seen), ["quota 3600", "echo now"]);
});

test("[SES-155] the turn that was cut off goes on before prompts that wait, after a kill just before its time", async (scene) => {
  const { house, server: first, workspace } = scene;
  const { id } = await first.client.createSession({
    cwd: workspace,
    on_quota: "continue",
    prompt: usedUpFor(4),
  });
  await seenUntil(first.client, id, is("session.turn.interrupted"));
  await first.client.queuePrompt(id, { text: "echo last" });
  await first.kill();
  await endDaemon(house.home);

  const { client } = await scene.up();
  const seen = await seenUntil(client, id, turnEnded(3));
  const texts = begun(seen);
  assert.equal(texts.length, 3);
  assert.match(texts[1] ?? "", /interrupted/);
  assert.equal(texts[2], "echo last");
  const { unresolved_prompts } = await client.showSession(id);
  assert.deepEqual(unresolved_prompts, []);
});

test("[SES-106] a budget that is used up while the server is dead ends the turn after its tool call, once", async (scene) => {
  const { house, server: first, workspace } = scene;
  const latch = house.latch();
  const { id } = await first.client.createSession({
    cwd: workspace,
    // Long enough for the tool call to have begun.
    budget: { minutes: patience(2000) / 60_000 },
    prompt: `run ${latch.wait}\nsleep 600000`,
  });
  await seenUntil(
    first.client,
    id,
    (event) =>
      event.type === "session.message.added" &&
      event.data.message.tool !== undefined,
  );
  await first.kill();
  const { client } = await scene.up();
  await seenUntil(client, id, is("session.budget.reached"));
  assert.equal((await client.showSession(id)).state, "RUNNING");
  latch.open();
  const seen = await seenUntil(client, id, turnEnded(1));
  for (const type of [
    "session.budget.reached",
    "session.turn.cancel_requested",
  ] as const)
    assert.equal(seen.filter(is(type)).length, 1, type);
});

test("[TSK-67] a task whose budget is raised goes on by itself, though the server is killed right after", async (scene) => {
  const { server: first, workspace } = scene;
  const { id } = await first.client.createTask({
    title: "Work",
    description: "remember pass=mellon\nsleep 600000",
    cwd: workspace,
    budget: { minutes: 0.01 },
    run: true,
  });
  const until = async (client: Client, state: string): Promise<void> => {
    const isThere = async () => (await client.showTask(id)).state === state;
    if (await isThere()) return;
    for await (const _ of client.followTask(id, { after: 0 }))
      if (await isThere()) return;
  };
  await until(first.client, "FAILED");
  const raised = await first.client.changeTask(id, { budget: { minutes: 5 } });
  assert.equal(raised.budget?.limits.minutes, 5);
  await first.kill();
  const { client } = await scene.up();
  await until(client, "REVIEW");
  const { attempts } = await client.listAttempts(id);
  assert.deepEqual(
    attempts.map(({ mode }) => mode),
    ["first", "continue"],
  );
});
