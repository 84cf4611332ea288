import { command } from "../command.ts";
import { allTasks } from "../find.ts";
import { collect } from "../pages.ts";
import { answer } from "../print.ts";
import { oneLine } from "../sanitize.ts";
import { age } from "../text/age.ts";
import { table } from "../text/table.ts";

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
