/** Tasks whose sessions are made by a profile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { Config } from "../../src/contract/api/config.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, taskRequest, turnEnded, until } from "./house.ts";

const work = { agent: "demo", model: "m-1", on_interrupt: "continue" };

const scene = async () => {
  const place = new FakePlace();
  const store = memoryStore();
  const start = (profiles: object) =>
    house(fakeExecutors(place), {
      store,
      profiles: Config.parse({ profiles }).profiles,
    });
  const runtime = await start({ work });
  return { runtime, start, ...runtime };
};

test("[TSK-80] the sessions of a task are made by its profile; one that is gone fails the attempt", async () => {
  const { operations, runtime, start, close } = await scene();
  await assert.rejects(
    operations.createTask(taskRequest({ agent_profile_id: "nobody" })),
    { code: "unknown_profile" },
  );
  const task = await operations.createTask(
    taskRequest({ agent_profile_id: "work", run: true }),
  );
  assert.deepEqual(
    [task.agent, task.session?.agent_profile_id],
    ["demo", "work"],
  );
  const id = await sessionOfTask(operations, task.id);
  const session = await operations.showSession(id);
  assert.deepEqual(
    [session.agent_profile_id, session.definition.model, session.on_interrupt],
    ["work", "m-1", "wait"],
  );
  await until(runtime, id, turnEnded(1));
  const later = await operations.createTask(
    taskRequest({ agent_profile_id: "work" }),
  );
  await close();

  const second = await start({});
  await second.operations.runTask(later.id, {});
  const [attempt] = await ended(second.operations, later.id);
  assert.deepEqual(
    [attempt?.outcome, attempt?.reason_code],
    ["failed", "unknown_profile"],
  );
  assert.equal(
    (await second.operations.showTask(later.id)).retry_at,
    undefined,
  );
  await second.close();
});

type Operations = Awaited<ReturnType<typeof house>>["operations"];
type TaskId = Parameters<Operations["showTask"]>[0];

const sessionOfTask = async (
  operations: Operations,
  task: TaskId,
): Promise<SessionId> => {
  for await (const _ of operations.followTask(
    task,
    0,
    AbortSignal.timeout(patience(20_000)),
  )) {
    const { session_id } = await operations.showTask(task);
    if (session_id !== null) return session_id;
  }
  throw new Error("no session was made");
};

const ended = async (operations: Operations, task: TaskId) => {
  for await (const _ of operations.followTask(
    task,
    0,
    AbortSignal.timeout(patience(20_000)),
  )) {
    const { attempts } = await operations.listAttempts(task);
    if (attempts.at(-1)?.state === "ended") return attempts;
  }
  throw new Error("the attempt did not end");
};
