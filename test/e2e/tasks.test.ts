/** Tasks that continue: after a kill, after a time-out, with more to do, and across deaths of the server. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { Attempt, Task, TaskState } from "../../src/contract/task/task.ts";
import { minutesWords } from "../../src/kit/time/minutes-words.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { killAgents, killEverything } from "./counting.ts";
import { commandRuns, say, seenUntil, type TestHouse } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

const inState = (client: Client, id: string, state: TaskState): Promise<Task> =>
  eventually(
    () => client.showTask(id),
    (task) => task.state === state,
  );

const attemptsOf = async (client: Client, id: string): Promise<Attempt[]> =>
  (await client.listAttempts(id)).attempts;

/** What the agent was told, whatever became of it. */
const ledgerIn = (house: TestHouse) => {
  const path = join(house.directory, `ledger-${crypto.randomUUID()}`);
  return {
    caller_env: { DEMO_LEDGER: path },
    read: () => readFile(path, "utf8").catch(() => ""),
    times: async (words: string): Promise<number> =>
      (await readFile(path, "utf8")).split(words).length - 1,
  };
};

/** The session of the newest attempt, once its agent works. */
const working = async (client: Client, id: string): Promise<string> => {
  const { session_id } = await eventually(
    () => client.showTask(id),
    (task) => task.session_id !== null,
  );
  assert.ok(session_id !== null);
  await seenUntil(client, session_id, commandRuns);
  return session_id;
};

test("[TSK-9] [TSK-10] [TSK-14] [TSK-16] an attempt that was killed is continued in the same conversation, and the task is told once", async ({
  house,
  client,
  workspace,
}) => {
  const marker = crypto.randomUUID();
  const ledger = ledgerIn(house);
  const { caller_env } = ledger;
  const latch = house.latch();
  const task = await client.createTask({
    title: "Count",
    description: `${marker}\nremember pass=mellon\nwrite a.txt one\nrun ${latch.wait}`,
    cwd: workspace,
    run: true,
    caller_env,
  });
  assert.equal(task.state, "IN_PROGRESS");
  const session = await working(client, task.id);
  await eventually(ledger.read, (text) => text.includes(marker));
  await killAgents(client, session);
  const failed = await inState(client, task.id, "FAILED");
  assert.equal(failed.attempts, 1);
  assert.equal((await client.showSession(session)).on_interrupt, "wait");
  const [first] = await attemptsOf(client, task.id);
  assert.equal(first?.outcome, "interrupted");
  assert.ok((first.reason ?? "") !== "");

  await client.retryTask(task.id, { mode: "continue", caller_env });
  const done = await inState(client, task.id, "REVIEW");
  assert.deepEqual(done.session_ids, [session]);
  assert.deepEqual(done.status, {
    session_id: session,
    attempts: 2,
    context_version: 1,
    last_updated: done.last_updated,
  });
  const second = (await attemptsOf(client, task.id))[1];
  assert.equal(second?.outcome, "succeeded");
  assert.equal(second.mode, "continue");
  assert.equal(second.grade, "native");
  assert.equal(await ledger.times(marker), 1);
  assert.match(await say(client, session, "recall pass"), /pass=mellon/);
});

test("[TSK-21] [TSK-22] an attempt that takes too long is stopped, and the next one goes on", async ({
  house,
  client,
  workspace,
}) => {
  const latch = house.latch();
  // Long enough for the file to be written.
  const minutes = patience(1800) / 60_000;
  const { id } = await client.createTask({
    title: "Wait",
    description: `write kept.txt yes\nrun ${latch.wait}`,
    cwd: workspace,
    timeout_minutes: minutes,
    run: true,
  });
  await inState(client, id, "FAILED");
  const [first] = await attemptsOf(client, id);
  assert.equal(first?.outcome, "timed_out");
  assert.equal(first.reason, `it ran longer than ${minutesWords(minutes)}`);
  latch.open();
  await client.retryTask(id);
  const task = await inState(client, id, "REVIEW");
  assert.equal(task.session_ids.length, 1);
  assert.equal(await readFile(join(workspace, "kept.txt"), "utf8"), "yes");
});

test("[TSK-15] [TSK-18] [TSK-19] what is added makes the next version and is told as something new", async ({
  house,
  client,
  workspace,
}) => {
  const marker = crypto.randomUUID();
  const ledger = ledgerIn(house);
  const { caller_env } = ledger;
  const { id } = await client.createTask({
    title: "Write",
    description: `${marker}\nwrite one.txt 1`,
    cwd: workspace,
    run: true,
    caller_env,
  });
  await inState(client, id, "REVIEW");
  const added = await client.addContext(id, {
    contexts: [{ name: "two.md", text: "write two.txt 2" }],
    caller_env,
  });
  assert.equal(added.context_version, 2);
  const task = await inState(client, id, "REVIEW");
  assert.equal(task.session_ids.length, 1);
  const attempts = await attemptsOf(client, id);
  assert.deepEqual(
    attempts.map(({ mode, outcome, context_version, files_changed }) => ({
      mode,
      outcome,
      context_version,
      files_changed,
    })),
    [
      {
        mode: "first",
        outcome: "succeeded",
        context_version: 1,
        files_changed: [{ path: "one.txt", change: "added" }],
      },
      {
        mode: "update",
        outcome: "succeeded",
        context_version: 2,
        files_changed: [{ path: "two.txt", change: "added" }],
      },
    ],
  );
  assert.equal(await ledger.times(marker), 1);
  assert.equal(await ledger.times("extended (version 2)"), 1);
});

test("[TSK-3] [TSK-8] [P1] an attempt outlives the server, agentctl and the agent", async (scene) => {
  const { house, client, server, workspace } = scene;
  const marker = crypto.randomUUID();
  const ledger = ledgerIn(house);
  const latch = house.latch();
  const { id } = await client.createTask({
    title: "Survive",
    description: `${marker}\nremember pass=mellon\nrun ${latch.wait}`,
    cwd: workspace,
    retry: { limit: 2, backoff_seconds: 1 },
    run: true,
    caller_env: ledger.caller_env,
  });
  await working(client, id);
  await eventually(ledger.read, (text) => text.includes(marker));
  await killEverything(house, server);
  latch.open();
  const next = await scene.up();
  const task = await inState(next.client, id, "REVIEW");
  assert.equal(task.attempts, 2);
  assert.equal(task.session_ids.length, 1);
  const [first, second] = await attemptsOf(next.client, id);
  assert.deepEqual(
    [first?.outcome, second?.outcome, second?.mode],
    ["interrupted", "succeeded", "continue"],
  );
  const session = task.session_ids[0] ?? "";
  assert.match(await say(next.client, session, "recall pass"), /pass=mellon/);
  const { messages } = await next.client.listMessages(session);
  const told = messages.filter(({ text }) => text.includes(marker));
  assert.equal(told.filter(({ role }) => role === "user").length, 1);
});

test("[TSK-11] [TSK-12] an agent that remembers nothing is told what was tried", async ({
  house,
  client,
  workspace,
}) => {
  const latch = house.latch();
  const { id } = await client.createTask({
    title: "Start over",
    description: `write a.txt 1\nrun ${latch.wait}`,
    agent: "demo-fresh",
    cwd: workspace,
    run: true,
  });
  const session = await working(client, id);
  await eventually(
    () => readFile(join(workspace, "a.txt"), "utf8").catch(() => ""),
    (text) => text === "1",
  );
  await killAgents(client, session);
  await inState(client, id, "FAILED");
  await assert.rejects(client.retryTask(id, { mode: "continue" }), {
    code: "not_supported",
  });
  latch.open();
  await client.retryTask(id);
  const task = await inState(client, id, "REVIEW");
  assert.equal(task.session_ids.length, 2);
  const { messages } = await client.listMessages(task.session_id ?? "");
  const [told] = messages.filter(({ role }) => role === "user");
  assert.match(told?.text ?? "", /This task was tried once before/);
  assert.match(told?.text ?? "", /Changed: a\.txt\./);
});

test("[TSK-7] a task that is done ends its sessions, and nothing more can be asked of it", async ({
  client,
  workspace,
}) => {
  const { id } = await client.createTask({
    title: "End",
    cwd: workspace,
    run: true,
  });
  const { session_id } = await inState(client, id, "REVIEW");
  const done = await client.finishTask(id);
  assert.equal(done.state, "DONE");
  await eventually(
    () => client.showSession(session_id ?? ""),
    ({ state }) => state === "COMPLETED",
  );
  await assert.rejects(client.retryTask(id), { code: "task_closed" });
  assert.equal((await client.finishTask(id)).state, "DONE");
});

test("[TSK-9] a task is applied by its name, and the same again changes nothing", async ({
  client,
  workspace,
}) => {
  const file = {
    title: "Apply",
    description: "write a.txt 1",
    cwd: workspace,
    context: ["Also this."],
    run: true,
  };
  const name = `apply-${crypto.randomUUID()}`;
  const created = await client.applyTask(name, file);
  assert.equal(created.name, name);
  const { last_seq } = await inState(client, created.id, "REVIEW");
  const again = await client.applyTask(name, file);
  assert.deepEqual([again.id, again.last_seq], [created.id, last_seq]);
  const longer = { ...file, context: ["Also this.", "write b.txt 2"] };
  assert.equal((await client.applyTask(name, longer)).context_version, 3);
  await inState(client, created.id, "REVIEW");
  assert.equal(await readFile(join(workspace, "b.txt"), "utf8"), "2");
  await assert.rejects(
    client.applyTask(name, { ...longer, description: "Something else." }),
    { code: "wrong_state" },
  );
  await assert.rejects(client.applyTask(name, { ...file, context: [] }), {
    code: "wrong_state",
  });
});
