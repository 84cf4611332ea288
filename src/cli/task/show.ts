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
    answer(world, { ...task, attempt_list: attempts }, () =>
      taskCard(task, attempts, world, world.now()),
    );
    return 0;
  },
});
