import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { told } from "./begin-attempt.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const cancel = command({
  name: "task cancel",
  summary: "Give a task up",
  about:
    "An attempt that is under way is stopped, a retry is called off and its sessions are cancelled; what was said and changed stays.",
  args: [taskArgument],
  options: {},
  examples: ["reprise task cancel tsk_01jm"],
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const task = await client.cancelTask(id);
    answer(world, task, () => told(task, `it is ${task.state}.`, world));
    return 0;
  },
});
