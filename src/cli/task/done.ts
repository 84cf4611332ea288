import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { told } from "./begin-attempt.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const done = command({
  name: "task done",
  summary: "Close a task that is done",
  about: "Its sessions are completed; what was said and changed stays.",
  args: [taskArgument],
  options: {},
  examples: ["reprise task done tsk_01jm"],
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const task = await client.finishTask(id);
    answer(world, task, () => told(task, `it is ${task.state}.`, world));
    return 0;
  },
});
