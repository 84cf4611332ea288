/** What becomes of tasks that are closed or deleted, of their names, and of sessions that somebody makes for them. */
import assert from "node:assert/strict";
import type { Client } from "../../src/client/client.ts";
import type { Task, TaskState } from "../../src/contract/task/task.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { seenUntil, turnEnded } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

const inState = (client: Client, id: string, state: TaskState): Promise<Task> =>
  eventually(
    () => client.showTask(id),
    (task) => task.state === state,
  );

test("[TSK-32] a closed task takes no more sessions, and a fork of one of its sessions belongs to none", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createTask({
    title: "Close",
    description: "write a.txt 1",
    cwd: workspace,
    run: true,
  });
  const { session_id } = await inState(client, id, "REVIEW");
  assert.ok(session_id !== null);
  const open = await client.forkSession(session_id, { turn: 1 });
  assert.equal(open.task_id, id);
  const done = await client.finishTask(id);
  assert.ok(done.closed_at);
  await assert.rejects(client.createSession({ task_id: id, cwd: workspace }), {
    code: "task_closed",
    state: "DONE",
  });
  for (const session of [session_id, open.id])
    await eventually(
      () => client.showSession(session),
      ({ state }) => state === "COMPLETED",
    );
  const fork = await client.forkSession(session_id, { turn: 1 });
  assert.equal(fork.task_id, null);
  await client.queuePrompt(fork.id, { text: "write b.txt 2" });
  await seenUntil(client, fork.id, turnEnded(2));
});

test("[TSK-34] [TSK-35] a name is free when its task is deleted, and not when that is closed", async ({
  client,
  workspace,
}) => {
  const name = `name-${crypto.randomUUID()}`;
  const file = { title: "Name", description: "write a.txt 1", cwd: workspace };
  const first = await client.applyTask(name, { ...file, run: true });
  await inState(client, first.id, "REVIEW");
  await client.finishTask(first.id);
  const same = await client.applyTask(name, { ...file, run: true });
  assert.deepEqual([same.id, same.state], [first.id, "DONE"]);
  await assert.rejects(client.createTask({ title: "Other", name }), {
    code: "task_exists",
  });

  const deleted = await client.deleteTask(first.id);
  assert.ok(deleted.deleted_at);
  const listed = async (deleted: boolean) =>
    (await client.listTasks({ deleted, prefix: first.id })).tasks.length;
  assert.deepEqual([await listed(false), await listed(true)], [0, 1]);
  await assert.rejects(client.showTaskByName(name), { code: "task_not_found" });
  const second = await client.applyTask(name, file);
  assert.notEqual(second.id, first.id);
  const back = await client.undeleteTask(first.id);
  assert.deepEqual([back.name, back.state], [undefined, "DONE"]);
  assert.equal((await client.showTaskByName(name)).id, second.id);
});

test("[TSK-29] [TSK-30] a task whose agent asks says so, where it is read and in lists", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createTask({
    title: "Ask",
    description: "ask-write a.txt 1",
    cwd: workspace,
    context: ["Be careful."],
    run: true,
  });
  const asking = await eventually(
    () => client.showTask(id),
    (task) => task.needs_permission,
  );
  assert.equal(asking.state, "IN_PROGRESS");
  const [listed] = await eventually(
    async () => (await client.listTasks({ prefix: id })).tasks,
    ([task]) => task?.needs_permission === true,
  );
  assert.deepEqual(listed?.contexts, []);
  assert.deepEqual(listed.shortened, ["contexts"]);
  assert.equal(asking.contexts.length, 1);
  const { pending_permissions } = await client.showSession(
    asking.session_id ?? "",
  );
  const [asked] = pending_permissions;
  assert.ok(asked);
  const allow = asked.options.find(({ kind }) => kind === "allow_once");
  await client.answerPermission(
    asking.session_id ?? "",
    asked.id,
    allow?.id ?? "",
  );
  const reviewed = await inState(client, id, "REVIEW");
  assert.equal(reviewed.needs_permission, false);
  const { tasks } = await client.listTasks({ state: "REVIEW", agent: "demo" });
  assert.ok(tasks.some((task) => task.id === id));
});
