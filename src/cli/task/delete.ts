import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const deleteTask = command({
  name: "task delete",
  summary: "Put a task into the trash, and free its name",
  about:
    "A task that is open is cancelled first, and its sessions with it. Its sessions and what was changed stay.",
  args: [taskArgument],
  options: {},
  examples: ["reprise task delete parser"],
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const task = await client.deleteTask(id);
    const name = task.name === undefined ? "" : " Its name is free.";
    answer(
      world,
      task,
      () =>
        `${id} is in the trash.${name} Take it out again with \`${world.program} task undelete ${id}\`.`,
    );
    return 0;
  },
});
