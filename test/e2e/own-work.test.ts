/** What a person does in a workspace beside a session is told from what its turns do. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { say, TestHouse } from "./house.ts";

test("[P12] [CPT-26] the diff of a turn begins with what the turn found, not with what the turn before left", async () => {
  await using house = await TestHouse.make();
  const { client } = await house.up();
  const { id } = await client.createSession({ cwd: house.workspace });
  await say(client, id, "write a.txt 1");
  // The diff waits until what the turn left is captured.
  await client.showDiff(id, { from: "1" });
  await writeFile(join(house.workspace, "mine.txt"), "mine");
  await say(client, id, "write b.txt 2");
  const { changes } = await client.showDiff(id, { from: "2" });
  assert.deepEqual(changes, [{ path: "b.txt", kind: "added" }]);
  const { checkpoints } = await client.listCheckpoints(id);
  assert.deepEqual(
    checkpoints.map(({ kind, turn }) => `${kind} ${turn}`),
    ["baseline 0", "turn 1", "start 2", "turn 2"],
  );
  // And where nobody did anything, there is no checkpoint more.
  await say(client, id, "write c.txt 3");
  await client.showDiff(id, { from: "3" });
  const after = await client.listCheckpoints(id);
  assert.deepEqual(
    after.checkpoints.slice(4).map(({ kind, turn }) => `${kind} ${turn}`),
    ["turn 3"],
  );
});
