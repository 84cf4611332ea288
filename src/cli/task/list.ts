import { command } from "../parsing/command.ts";
import { allTasks } from "../server/find.ts";
import { collect } from "../server/pages.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { age } from "../terminal/age.ts";
import { table } from "../terminal/table.ts";
import { taskColour } from "../text/task/task-colour.ts";

export const list = command({
  name: "task list",
  summary: "List tasks, the newest first",
  args: [],
  options: {},
  examples: ["reprise task list"],
  async run(_, world) {
    const client = await world.client();
    const tasks = await collect(allTasks(client));
    const { palette, columns } = world.out;
    const rows = tasks.map((task) => [
      { text: task.id },
      { text: task.state, paint: taskColour(task.state, palette) },
      { text: String(task.attempts) },
      { text: age(task.last_updated, world.now()) },
      { text: oneLine(task.name ?? "-") },
      { text: oneLine(task.title) },
    ]);
    const heading = ["ID", "STATE", "ATTEMPTS", "ACTIVE", "NAME", "TITLE"].map(
      (text) => ({ text, paint: palette.dim }),
    );
    answer(world, { tasks, next: null }, () =>
      tasks.length === 0
        ? `No tasks yet. Create one with \`${world.program} task create\`.`
        : table([heading, ...rows], columns),
    );
    return 0;
  },
});
