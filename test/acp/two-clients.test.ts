/** Two editors on one session, each over a door of its own. */
import assert from "node:assert/strict";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Editor } from "./editor.ts";

const test = sharedHouse();

test("[ACP-15] [ACP-20] two clients on one session: both are told everything, both may prompt, and each gets its own answer", async ({
  house,
  workspace,
}) => {
  await using one = await Editor.open(house, { name: "one" });
  await using two = await Editor.open(house, { name: "two" });
  const id = await one.start(workspace);
  await two.load(id, workspace);
  using latch = house.latch();
  const first = one.prompt(id, `remember a=b\nrun ${latch.wait}`);
  await two.until(() => two.heard().includes("remember a=b"));
  const second = two.prompt(id, "recall a");
  latch.open();
  assert.deepEqual(await Promise.all([first, second]), [
    { stopReason: "end_turn" },
    { stopReason: "end_turn" },
  ]);
  await one.until(() => one.said().endsWith("a=b\n"));
  assert.equal(one.said(), two.said());
  // Each hears what the other asked, and not what it asked itself.
  assert.equal(one.heard(), "recall a");
  assert.match(two.heard(), /^remember a=b\nrun /);
  assert.doesNotMatch(two.heard(), /recall/);
});

test("[ACP-4] [ACP-19] two clients on one session: either may answer, and one's end ends nothing for the other", async ({
  house,
  client,
  workspace,
}) => {
  await using one = await Editor.open(house, { name: "one" });
  await using two = await Editor.open(house, { name: "two" });
  await using three = await Editor.open(house, { name: "three" });
  const id = await one.start(workspace);
  await two.load(id, workspace);
  await three.load(id, workspace);
  const asked = two.prompt(id, "ask may I?\nask once more?");
  const [mine, theirs] = [await one.question(), await two.question()];
  await three.question();
  // One leaves in good order, another is killed, each with a question open.
  assert.equal(await one.leave(), 0);
  await three.kill();
  assert.equal(mine.params.toolCall.title, theirs.params.toolCall.title);
  assert.ok(!theirs.withdrawn.aborted);
  theirs.choose("allow_once");
  (await two.question(2)).choose("reject_once");
  assert.deepEqual(await asked, { stopReason: "end_turn" });
  assert.equal(two.said(), "You chose allow_once.\nYou chose reject_once.\n");
  assert.equal((await client.showSession(id)).state, "WAITING_FOR_INPUT");
});

test("[ACP-18] two clients on one session: a cancel takes back the turn and its own prompts, not those of the other", async ({
  house,
  client,
  workspace,
}) => {
  await using one = await Editor.open(house, { name: "one" });
  await using two = await Editor.open(house, { name: "two" });
  const id = await one.start(workspace);
  await two.load(id, workspace);
  const running = one.prompt(id, "sleep 600000");
  await two.until(() => two.heard() !== "");
  const waiting = two.prompt(id, "recall a");
  await eventually(
    () => client.showSession(id),
    ({ queued_prompts }) => queued_prompts.length === 1,
  );
  await one.agent.notify("session/cancel", { sessionId: id });
  assert.deepEqual(await Promise.all([running, waiting]), [
    { stopReason: "cancelled" },
    { stopReason: "end_turn" },
  ]);
  assert.equal((await client.showSession(id)).turn_count, 2);
});
