import { command } from "../parsing/command.ts";
import { closeTask } from "./close.ts";
import { taskArgument } from "./target.ts";

export const cancel = command({
  name: "task cancel",
  summary: "Give a task up",
  about:
    "An attempt that is under way is stopped, a retry is called off and its sessions are cancelled; what was said and changed stays.",
  args: [taskArgument],
  options: {},
  examples: ["reprise task cancel tsk_01jm"],
  run: ({ args }, world) =>
    closeTask(world, args.ID, (client, id) => client.cancelTask(id)),
});
