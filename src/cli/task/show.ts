import type { Client } from "../../client/client.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Task } from "../../contract/task/task.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { taskCard } from "../text/task/task-card.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const show = command({
  name: "task show",
  summary: "Show a task, its attempts and what to do next",
  about: "With --json it is the task, and its attempts as attempt_list.",
  args: [taskArgument],
  options: {},
  examples: [
    "reprise task show tsk_01jm",
    "reprise task show parser --json | jq .status",
  ],
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const task = await client.showTask(id);
    const { attempts } = await client.listAttempts(id);
    if (world.json) {
      answer(world, { ...task, attempt_list: attempts }, () => "");
      return 0;
    }
    const sessions = {
      session: await newestSession(client, task),
      asking: await askingSessions(client, task),
    };
    answer(world, task, () =>
      taskCard(task, attempts, sessions, world, world.now()),
    );
    return 0;
  },
});

/** Only where it tells something that the task does not. */
const newestSession = async (
  client: Client,
  { worktree, session_id }: Task,
): Promise<Session | null> => {
  if (worktree === undefined || session_id === null) return null;
  try {
    return await client.showSession(session_id);
  } catch (error) {
    if (error instanceof RepriseError) return null;
    throw error;
  }
};

/** Those whose agents wait for an answer, the newest first. */
const askingSessions = async (
  client: Client,
  { needs_permission, session_ids }: Task,
): Promise<Session[]> => {
  if (!needs_permission) return [];
  const asking: Session[] = [];
  for (const id of session_ids.toReversed()) {
    const session = await client.showSession(id);
    if (session.pending_permissions.length > 0) asking.push(session);
  }
  return asking;
};
