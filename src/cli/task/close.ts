import type { Client } from "../../client/client.ts";
import type { TaskId } from "../../contract/base/id.ts";
import type { Task } from "../../contract/task/task.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { answer } from "../terminal/print.ts";
import type { World } from "../terminal/world.ts";
import { told } from "./begin-attempt.ts";
import { taskTarget } from "./target.ts";

/** Closes a task and says what that cut short. */
export const closeTask = async (
  world: World,
  given: string,
  ask: (client: Client, id: TaskId) => Promise<Task>,
): Promise<ExitCode> => {
  const { client, id } = await taskTarget(world, given);
  const before = await client.showTask(id);
  const task = await ask(client, id);
  const words = `it is ${task.state}.${cutShort(before)}`;
  answer(world, task, () => told(task, words, world));
  return 0;
};

const cutShort = ({ state, retry_at, attempts }: Task): string => {
  if (state !== "IN_PROGRESS") return "";
  if (retry_at !== undefined)
    return " The retry that was to come is called off.";
  return attempts === 0
    ? " Its session was at work and is stopped."
    : ` Attempt ${attempts} was under way and is stopped; what it changed so far stays.`;
};
