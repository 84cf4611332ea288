import { command } from "../parsing/command.ts";
import { allTasks } from "../server/find.ts";
import { collect } from "../server/pages.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { age } from "../terminal/age.ts";
import { table } from "../terminal/table.ts";

export const list = command({
  name: "task list",
  summary: "List tasks, the newest first",
  args: [],
  options: {},
  examples: ["reprise task list"],
  async run(_, world) {
    const client = await world.client();
    const tasks = await collect(allTasks(client));
    const rows = tasks.map((task) =>
      [
        task.id,
        task.state,
        age(task.updated_at, world.now()),
        oneLine(task.title),
      ].map((text) => ({ text })),
    );
    const heading = ["ID", "STATE", "ACTIVE", "TITLE"].map((text) => ({
      text,
      paint: world.out.palette.dim,
    }));
    answer(world, { tasks, next: null }, () =>
      tasks.length === 0
        ? `No tasks yet. Create one with \`${world.program} task create\`.`
        : table([heading, ...rows], world.out.columns),
    );
    return 0;
  },
});
