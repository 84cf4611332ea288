/** A database as a server leaves it: sessions with turns, questions, checkpoints, waiting prompts, long texts, a task. */
import { permissionId, type SessionId } from "../../src/contract/base/id.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import {
  house,
  request,
  taskRequest,
  turnEnded,
  until,
} from "../runtime/house.ts";

/** What was made, to be asked for again. */
export interface Made {
  sessions: SessionId[];
  prompts: { session: SessionId; id: string }[];
  permissions: { session: SessionId; id: string }[];
  tasks: string[];
  receipts: { scope: string; key: string }[];
}

export const makeDatabase = async (path: string): Promise<Made> => {
  const made: Made = {
    sessions: [],
    prompts: [],
    permissions: [],
    tasks: [],
    receipts: [],
  };
  const store = await openSqliteStore({ path });
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place), { store });
  const { operations } = runtime;
  const { id: task_id } = await operations.createTask(
    taskRequest({ title: "Mend it", description: "All of it." }),
    "task",
  );
  made.tasks.push(task_id);
  made.receipts.push({ scope: "tasks", key: "task" });

  const begin = async (given: object = {}): Promise<SessionId> => {
    const { id } = await operations.createSession(
      request({ task_id, env: { COLOUR: "teal" }, ...given }),
      `create ${made.sessions.length}`,
    );
    made.receipts.push({
      scope: "sessions",
      key: `create ${made.sessions.length}`,
    });
    made.sessions.push(id);
    return id;
  };
  const say = async (session: SessionId, text: string, turn: number) => {
    const key = `say ${turn}`;
    const { id } = await operations.queuePrompt(session, { text }, key);
    made.prompts.push({ session, id });
    made.receipts.push({ scope: session, key });
    await until(runtime, session, turnEnded(turn));
  };

  const talkative = await begin({ name: "talkative" });
  for (let turn = 1; turn <= 12; turn += 1)
    await say(talkative, `${turn} ${"some words ".repeat(20)}`, turn);

  const long = await begin();
  await say(long, "long ".repeat(8000), 1);

  const asking = await begin({ instructions: "Ask first. ".repeat(50) });
  place.onPrompt = (order, agent) => {
    const permission_id = permissionId(order.epoch, 500);
    agent.speak(500, (range) => ({
      kind: "permission_requested",
      range,
      permission_id,
      title: "May I?",
      tool_kind: "edit",
      tool_call_id: null,
      options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
    }));
    made.permissions.push({ session: asking, id: permission_id });
  };
  const { id } = await operations.queuePrompt(asking, { text: "ask" });
  made.prompts.push({ session: asking, id });
  await until(
    runtime,
    asking,
    ({ type }) => type === "session.permission.requested",
  );
  for (const n of [1, 2, 3]) {
    const queued = await operations.queuePrompt(asking, { text: `next ${n}` });
    made.prompts.push({ session: asking, id: queued.id });
  }
  await runtime.close();
  await store.close();
  return made;
};
