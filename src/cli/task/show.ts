import type { Task } from "../../contract/task/task.ts";
import { command } from "../parsing/command.ts";
import { findTask } from "../server/find.ts";
import { answer } from "../terminal/print.ts";
import { oneLine, sanitize } from "../terminal/sanitize.ts";
import { ago } from "../terminal/age.ts";
import { fields } from "../terminal/table.ts";
import type { World } from "../terminal/world.ts";

export const show = command({
  name: "task show",
  summary: "Show a task and its sessions",
  args: [
    {
      name: "ID",
      help: "the task; the beginning of its id is enough when no other begins so",
    },
  ],
  options: {},
  examples: ["reprise task show tsk_01jm"],
  async run({ args }, world) {
    const client = await world.client();
    const task = await client.showTask(await findTask(client, args.ID));
    answer(world, task, () => card(task, world, world.now()));
    return 0;
  },
});

const card = (task: Task, { out }: World, now: Date): string =>
  `${task.id}  ${out.palette.bold(oneLine(task.title))}\n${fields(
    [
      ["state", task.state],
      ["created", ago(task.created_at, now)],
      ...(task.description === ""
        ? []
        : [["description", sanitize(task.description).trimEnd()] as const]),
      ["sessions", task.session_ids.join("\n") || "none yet"],
    ],
    out.palette.dim,
  )}`;
