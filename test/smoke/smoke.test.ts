/** One walk through the whole product, for `npm run test:fast`: everything is real, and everything dies once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { killEverything } from "../e2e/counting.ts";
import { say, seenUntil, TestHouse, turnEnded } from "../e2e/house.ts";

test("[P1] [P6] a session goes on after its server, agentctl and its agent were killed", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const { id } = await first.client.createSession({
    cwd: house.workspace,
    prompt: "remember pass=mellon",
  });
  await seenUntil(first.client, id, turnEnded(1));
  await killEverything(house, first);

  const { client } = await house.up();
  assert.equal((await say(client, id, "recall pass")).trim(), "pass=mellon");
  assert.equal((await client.showSession(id)).resume?.grade, "native");
});
