/** Tasks that several ask for at once, and tasks whose time is up while no server runs. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[TSK-8] [TSK-9] [TSK-20] of applies at the same time one makes the task and its attempt, and all are answered", async ({
  client,
  workspace,
}) => {
  const name = `race-${crypto.randomUUID()}`;
  const file = {
    title: "Race",
    description: "write a.txt 1",
    cwd: workspace,
    context: ["write b.txt 2"],
    run: true,
  };
  const applied = await Promise.all(
    Array.from({ length: 8 }, () => client.applyTask(name, file)),
  );
  const ids = new Set(applied.map(({ id }) => id));
  assert.equal(ids.size, 1);
  const [id = ""] = ids;
  const task = await eventually(
    () => client.showTask(id),
    ({ state }) => state === "REVIEW",
  );
  assert.deepEqual([task.attempts, task.context_version], [1, 2]);
  const longer = { ...file, context: [...file.context, "write c.txt 3"] };
  await Promise.all(
    Array.from({ length: 8 }, () => client.applyTask(name, longer)),
  );
  const more = await eventually(
    () => client.showTask(id),
    ({ state, attempts }) => state === "REVIEW" && attempts === 2,
  );
  assert.equal(more.context_version, 3);
  assert.equal(await readFile(join(workspace, "c.txt"), "utf8"), "3");
});

test("[TSK-21] [TSK-22] [TSK-4] an attempt whose time is up while no server runs is stopped by the next one", async (scene) => {
  const { house, client, server, workspace } = scene;
  const latch = house.latch();
  const { id } = await client.createTask({
    title: "Wait",
    description: `write kept.txt yes\nrun ${latch.wait}`,
    cwd: workspace,
    // Long enough for the file to be written.
    timeout_minutes: patience(2000) / 60_000,
    run: true,
  });
  await eventually(
    () => readFile(join(workspace, "kept.txt"), "utf8").catch(() => ""),
    (text) => text === "yes",
  );
  await server.kill();
  const next = await scene.up();
  await eventually(
    () => next.client.showTask(id),
    ({ state }) => state === "FAILED",
  );
  const { attempts } = await next.client.listAttempts(id);
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ["timed_out"],
  );
  latch.open();
});
