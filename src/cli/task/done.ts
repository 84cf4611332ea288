import { command } from "../parsing/command.ts";
import { closeTask } from "./close.ts";
import { taskArgument } from "./target.ts";

export const done = command({
  name: "task done",
  summary: "Close a task that is done",
  about:
    "Its sessions are completed; what was said and changed stays. An attempt that is under way is stopped, and the command says so.",
  args: [taskArgument],
  options: {},
  examples: ["reprise task done tsk_01jm"],
  run: ({ args }, world) =>
    closeTask(world, args.ID, (client, id) => client.finishTask(id)),
});
