import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import {
  AttemptId,
  CommandId,
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { memoryStore } from "../../store/memory.ts";
import {
  creation,
  idsOf,
  news,
  second,
  sessionId,
  taskId,
} from "../../task/fixtures/task-story.ts";
import { sessionEngine } from "../fixtures/session-engine.ts";
import { taskEngine } from "../fixtures/task-engine.ts";
import { watchDueTasks } from "./due-tasks.ts";

test("[REC-103] [TSK-22] a task whose session lies at a place that does not answer keeps no other from being woken", async (t) => {
  const stage = await start(t, (session) =>
    session === sessionId(1) ? new Promise(() => undefined) : Promise.resolve(),
  );
  await stage.working(1);
  await stage.working(2);
  stage.now = second(30);
  await stage.working(3);
  stage.now = second(61);
  await stage.lookUntil(() => stage.timedOut.includes(taskId(2)));
  // One that is due later than the one that hangs, too.
  stage.now = second(120);
  await stage.lookUntil(() => stage.timedOut.includes(taskId(3)));
  assert.deepEqual(stage.timedOut, [taskId(2), taskId(3)]);
  assert.deepEqual(
    stage.heard,
    [sessionId(1), sessionId(2), sessionId(3)],
    "each is asked for once",
  );
});

test("[REC-103] a task that cannot be woken is told once in the log, and tried again", async (t) => {
  let isBroken = true;
  const stage = await start(t, async () => {
    if (isBroken) throw new RepriseError("internal", "It is broken.");
  });
  await stage.working(1);
  stage.now = second(61);
  await stage.lookUntil(() => stage.heard.length >= 3);
  assert.deepEqual(stage.problems, ["could not wake a task"]);
  isBroken = false;
  await stage.lookUntil(() => stage.timedOut.length === 1);
});

test("[TSK-40] a task that this server does not look after is not woken", async (t) => {
  const stage = await start(t, async () => undefined);
  stage.others.add(taskId(1));
  await stage.working(1);
  await stage.working(2);
  stage.now = second(61);
  await stage.lookUntil(() => stage.timedOut.length === 1);
  assert.deepEqual(stage.timedOut, [taskId(2)]);
  assert.deepEqual(stage.heard, [sessionId(2)]);
});

const start = async (
  t: TestContext,
  hearOut: (session: SessionId) => Promise<void>,
) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const store = memoryStore();
  const stage = {
    now: second(0),
    heard: [] as SessionId[],
    timedOut: [] as TaskId[],
    problems: [] as string[],
    /** Tasks that this server does not look after. */
    others: new Set<TaskId>(),
    /** The agent of a task works since now, and may do so for a minute. */
    async working(n: number) {
      const create = { task_id: taskId(n), timeout_minutes: 1 };
      const { id } = await tasks.create(creation(create));
      const { attempt_id, prompt_id } = idsOf(n);
      const session_id = sessionId(n);
      await tasks.issue(id, { type: "task.run", ids: idsOf(n), agent: "demo" });
      await tasks.issue(id, {
        type: "prompt.queued",
        attempt_id,
        session_id,
        prompt_id,
      });
      await tasks.issue(id, {
        type: "session.observe",
        news: news({ id: session_id, working_on: prompt_id }),
      });
    },
    async lookUntil(happened: () => boolean) {
      for (let n = 0; n < 100 && !happened(); n += 1) {
        t.mock.timers.tick(1000);
        await turnOfTheLoop();
      }
      assert.ok(happened(), "it does not happen");
    },
  };
  const clock = { now: () => new Date(stage.now) };
  const term = await store.claim();
  const { tasks, commits } = taskEngine(store, term, clock);
  commits.onAny(({ id, events }) => {
    if (events.some(({ type }) => type === "task.attempt.timed_out"))
      stage.timedOut.push(id);
  });
  watchDueTasks(
    {
      tasks,
      sessions: sessionEngine(store, term, clock).engine,
      store,
      ids,
      clock,
      log: {
        info() {},
        warn() {},
        error: (_, words) => void stage.problems.push(words),
      },
      hearOut: (session) => {
        stage.heard.push(session);
        return hearOut(session);
      },
    },
    (id) => !stage.others.has(id),
  );
  return stage;
};

const newId = (prefix: string): string => `${prefix}_${ulid(Date.now())}`;

const ids = {
  session: () => SessionId.parse(newId("ses")),
  task: () => TaskId.parse(newId("tsk")),
  attempt: () => AttemptId.parse(newId("att")),
  prompt: () => PromptId.parse(newId("prm")),
  execution: () => ExecutionId.parse(newId("exe")),
  command: () => CommandId.parse(newId("cmd")),
};
