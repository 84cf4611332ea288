import * as z from "zod";
import type { Client } from "../../client/client.ts";
import { AgentId } from "../../contract/agent/agent.ts";
import { ProfileId } from "../../contract/agent/profile-view.ts";
import { MAX_TASK_TEXT, TaskName } from "../../contract/api/task-request.ts";
import { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Task } from "../../contract/task/task.ts";
import { answer } from "../base/answer.ts";
import { tool } from "../base/tool.ts";
import { callOf, lines, oneLine } from "../base/words.ts";

const taskIdField = z.string().describe("The task's id (tsk_…) or its name");

const ShortTask = z.object({
  taskId: z.string(),
  title: z.string(),
  state: z.string(),
  attempts: z.int(),
  contextVersion: z.int(),
  lastUpdated: z.string(),
  sessionId: z.string().optional(),
});

export const taskRetry = tool({
  name: "task_retry",
  title: "Retry a task",
  description:
    "Makes another attempt at a task: in the same conversation where that is possible, else in a new session that is told what was tried.",
  input: z.strictObject({
    taskId: taskIdField,
    mode: z
      .enum(["continue", "fresh"])
      .optional()
      .describe(
        "continue goes on in the same session or fails; fresh starts over",
      ),
    agentName: AgentId.optional().describe("Another agent starts over"),
    profile: ProfileId.optional().describe("Another profile starts over"),
  }),
  output: ShortTask,
  async run({ taskId, mode, agentName, profile }, { door, key }) {
    const id = await findTask(door.client, taskId);
    const task = await door.client.retryTask(id, {
      ...(mode !== undefined && { mode }),
      ...(agentName !== undefined && { agent: agentName }),
      ...(profile !== undefined && { agent_profile_id: profile }),
      ...(await door.callerEnv()),
      key,
    });
    return answer(
      lines(`Attempt ${task.attempts} at task ${id} begins.`, nextOf(task)),
      shortTask(task),
    );
  },
});

export const taskUpdate = tool({
  name: "task_update",
  title: "Add to a task",
  description:
    "Adds to what a task asks for. Its agent is told what is new, in the same conversation; it is not told the task again.",
  input: z.strictObject({
    taskId: taskIdField,
    context: z.string().min(1).max(MAX_TASK_TEXT).describe("What is new"),
    name: z.string().min(1).max(200).optional().describe("A name for it"),
  }),
  output: ShortTask,
  async run({ taskId, context, name }, { door, key }) {
    const id = await findTask(door.client, taskId);
    const task = await door.client.addContext(id, {
      ...(name === undefined
        ? { text: context }
        : { contexts: [{ name, text: context }] }),
      ...(await door.callerEnv()),
      key,
    });
    return answer(
      lines(
        `Task ${id} has version ${task.context_version} of what it asks for.`,
        nextOf(task),
      ),
      shortTask(task),
    );
  },
});

const findTask = async (client: Client, given: string): Promise<TaskId> => {
  const id = TaskId.safeParse(given);
  if (id.success) return id.data;
  const name = TaskName.safeParse(given);
  if (name.success) return (await client.showTaskByName(name.data)).id;
  throw new RepriseError(
    "task_not_found",
    `${JSON.stringify(oneLine(given, 80))} is neither the id (tsk_…) nor the name of a task.`,
  );
};

const nextOf = ({ session_id }: Task): string | null =>
  session_id === null
    ? null
    : `Next: ${callOf("wait_for_session", { sessionId: session_id })}`;

const shortTask = (task: Task): z.infer<typeof ShortTask> => ({
  taskId: task.id,
  title: task.title,
  state: task.state,
  attempts: task.attempts,
  contextVersion: task.context_version,
  lastUpdated: task.last_updated,
  ...(task.session_id !== null && { sessionId: task.session_id }),
});
