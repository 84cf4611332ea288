/** Where attempts at a task may run, when one is asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Config } from "../../src/contract/api/config.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, taskRequest } from "./house.ts";

const { profiles } = Config.parse({
  profiles: { boxed: { agent: "demo", executor: "local_docker" } },
});

test("[TSK-91] an attempt that cannot fit is refused when it is asked for, and nothing is begun", async () => {
  const store = memoryStore();
  const executors = fakeExecutors(new FakePlace());
  const first = await house(executors, {
    store,
    profiles,
    hosts: [{ kind: "remote", id: "box" }],
  });
  const far = await first.operations.createTask(taskRequest({ host: "box" }));
  const here = await first.operations.createTask(taskRequest());
  await assert.rejects(
    first.operations.runTask(here.id, { agent_profile_id: "boxed" }),
    { code: "invalid_request", message: /Give the directory as cwd/ },
  );
  await assert.rejects(
    first.operations.createTask(taskRequest({ agent_profile_id: "boxed" })),
    { code: "invalid_request" },
  );
  await first.close();

  const second = await house(executors, { store });
  await assert.rejects(second.operations.runTask(far.id, {}), {
    code: "host_not_usable",
  });
  for (const { id } of [far, here]) {
    const { attempts, state } = await second.operations.showTask(id);
    assert.deepEqual([attempts, state], [0, "TODO"]);
  }
  await second.close();
});

test("[TSK-91] [SBX-3] a task whose profile asks for a sandbox is refused where there can be none, before anything is made", async () => {
  const sandboxed = Config.parse({
    profiles: { safe: { agent: "demo", sandbox: true } },
  });
  const { operations, close } = await house(fakeExecutors(new FakePlace()), {
    profiles: sandboxed.profiles,
  });
  const create = (more: Parameters<typeof taskRequest>[0]) =>
    operations.createTask(taskRequest({ agent_profile_id: "safe", ...more }));
  await assert.rejects(create({ executor: "docker", cwd: "/tmp" }), {
    code: "sandbox_unavailable",
  });
  await assert.rejects(create({ worktree: "/repository" }), {
    code: "not_supported",
  });
  const { id } = await operations.createTask(
    taskRequest({ worktree: "/repository" }),
  );
  await assert.rejects(operations.runTask(id, { agent_profile_id: "safe" }), {
    code: "not_supported",
  });
  assert.equal((await operations.showTask(id)).attempts, 0);
  await close();
});
