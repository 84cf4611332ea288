/** What the commands have in common that make an attempt, and may watch it. */
import type { Client } from "../../client/client.ts";
import type { TaskId } from "../../contract/base/id.ts";
import type { Task } from "../../contract/task/task.ts";
import { followTask, taskSnapshot } from "../follow/follow-task.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { answer } from "../terminal/print.ts";
import type { World } from "../terminal/world.ts";
import { nextStep } from "../text/task/next-step.ts";

export const agentOption = {
  kind: "text",
  value: "A",
  help: "the agent; `reprise agents` lists them",
} as const;

export const followOption = {
  kind: "flag",
  help: "watch until the task needs you, as `reprise task follow` does",
} as const;

/** Asks for an attempt and says what came of it, or watches it. */
export const beginAttempt = async (
  world: World,
  client: Client,
  id: TaskId,
  order: {
    ask(): Promise<Task>;
    follow: boolean;
    words(task: Task): string;
  },
): Promise<ExitCode> => {
  // How it stood is taken first, so that nothing between asking and watching is missed.
  const snapshot = order.follow ? await taskSnapshot(client, id) : null;
  const task = await order.ask();
  // A task that nobody runs has nothing to watch.
  if (snapshot !== null && task.state !== "TODO")
    return followTask(world, client, snapshot);
  answer(world, task, () => told(task, order.words(task), world));
  return 0;
};

/** What was done, and what to do next. */
export const told = (
  task: Task,
  words: string,
  { program, now }: Pick<World, "program" | "now">,
): string => `${task.id}: ${words}\n${nextStep(task, program, now())}`;
