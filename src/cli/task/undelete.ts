import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const undeleteTask = command({
  name: "task undelete",
  summary: "Take a task out of the trash",
  about:
    "It stays closed. `reprise task list --deleted` shows what is in the trash.",
  args: [taskArgument],
  options: {},
  examples: ["reprise task undelete tsk_01jm"],
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const before = await client.showTask(id);
    const task = await client.undeleteTask(id);
    const outcome =
      before.deleted_at === undefined ? "was not in the trash" : "is back";
    const name =
      before.name !== undefined && task.name === undefined
        ? " Another task has its name now, so it has none."
        : "";
    answer(world, task, () => `${id} ${outcome}. It is ${task.state}.${name}`);
    return 0;
  },
});
