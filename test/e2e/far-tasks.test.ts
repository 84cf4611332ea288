/** Tasks whose sessions run on another host. */
import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { CreateTaskInput } from "../../src/contract/api/task-request.ts";
import type { ProblemCode } from "../../src/contract/problem/problem.ts";
import type { Task } from "../../src/contract/task/task.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { refusedWith, sharedFarHouse } from "./far.ts";

const test = sharedFarHouse();

const reviewed = (client: Client, { id }: Task, attempts: number) =>
  eventually(
    () => client.showTask(id),
    (task) => task.state === "REVIEW" && task.attempts === attempts,
  );

const sessionOf = async (client: Client, { session_id }: Task) => {
  assert.ok(session_id !== null);
  return client.showSession(session_id);
};

test("[TSK-90] [API-260] every attempt of a task runs on its host, and a new session goes on in the directory of the one before", async ({
  client,
}, host) => {
  const { name } = host;
  const made = await client.createTask({
    title: "Far",
    description: "write NOTES.md far",
    host: name,
    run: true,
  });
  const first = await sessionOf(client, await reviewed(client, made, 1));
  const place = { kind: "remote", id: name };
  assert.deepEqual(first.place, place);
  assert.match(await readFile(join(first.cwd, "NOTES.md"), "utf8"), /far/);
  assert.equal(made.session?.host, name);

  await client.retryTask(made.id, { mode: "fresh" });
  const second = await sessionOf(client, await reviewed(client, made, 2));
  assert.notEqual(second.id, first.id);
  assert.deepEqual([second.place, second.cwd], [place, first.cwd]);
});

test("[TSK-90] [API-260] [EXE-40] a task that is told another place gets its next session there, in the directory that it names", async ({
  client,
  workspace,
}, host) => {
  const said = { title: "Moves", description: "write NOTES.md here" };
  const made = await client.applyTask("moves", {
    ...said,
    host: host.name,
    run: true,
  });
  const first = await sessionOf(client, await reviewed(client, made, 1));
  const described = await client.applyTask("moves", {
    ...said,
    executor: "local_standalone",
    cwd: workspace,
  });
  assert.equal(described.session?.executor, "standalone");
  await client.retryTask(made.id, { mode: "fresh" });
  const second = await sessionOf(client, await reviewed(client, made, 2));
  assert.deepEqual(
    [first.executor, second.executor, second.cwd],
    ["remote", "standalone", workspace],
  );
  await access(join(workspace, "NOTES.md"));
});

test("[TSK-91] [API-260] a task that cannot fit is refused in words, and nothing is made", async ({
  client,
  workspace,
}, host) => {
  const here = { title: "No", cwd: workspace };
  for (const [task, code, words] of [
    [{ ...here, host: "moon" }, "host_not_usable", /no host moon/],
    [{ ...here, image: "debian" }, "invalid_request", /executor docker/],
    [
      { ...here, executor: "local", host: host.name },
      "invalid_request",
      /this machine/,
    ],
    [
      { title: "No", host: host.name, worktree: workspace },
      "not_supported",
      /worktree/,
    ],
    [
      { title: "No", executor: "docker", worktree: workspace },
      "not_supported",
      /not in a container/,
    ],
    [{ title: "No", executor: "docker" }, "invalid_request", /as cwd/],
  ] satisfies [CreateTaskInput, ProblemCode, RegExp][]) {
    const refused = refusedWith(code, words);
    await assert.rejects(client.createTask({ ...task, run: true }), refused);
    await assert.rejects(client.applyTask("no", task), refused);
  }
  const { tasks } = await client.listTasks();
  assert.ok(tasks.every(({ title }) => title !== "No"));
});
