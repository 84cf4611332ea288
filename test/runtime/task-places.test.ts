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
