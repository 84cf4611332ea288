import type { Client } from "../../client/client.ts";
import { type Task, TaskState } from "../../contract/task/task.ts";
import { command } from "../parsing/command.ts";
import { allTasks } from "../server/find.ts";
import { collect } from "../../client/pages.ts";
import { age } from "../terminal/age.ts";
import type { Palette } from "../terminal/palette.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Cell, table } from "../terminal/table.ts";
import { taskColour } from "../text/task/task-colour.ts";
import { agentOption } from "./begin-attempt.ts";

export const list = command({
  name: "task list",
  summary: "List tasks, the newest first",
  about:
    "The descriptions are shortened and the contexts left out with --json; `reprise task show` gives all of a task.",
  args: [],
  options: {
    state: {
      kind: "text",
      value: "S",
      choices: TaskState.options,
      help: "those in this state",
    },
    agent: { ...agentOption, help: "those that this agent works on" },
    deleted: { kind: "flag", help: "those in the trash instead" },
    limit: { kind: "number", value: "N", help: "so many at most", max: 1000 },
  },
  examples: [
    "reprise task list",
    "reprise task list --state REVIEW --agent demo",
    "reprise task list --deleted",
    "reprise task list --limit 10 --json | jq -r '.tasks[].id'",
  ],
  async run({ options: { state, agent, deleted, limit } }, world) {
    const client = await world.client();
    const filter = {
      ...(state === undefined ? {} : { state }),
      ...(agent === undefined ? {} : { agent }),
      ...(deleted ? { deleted } : {}),
    };
    const { tasks, next } = await listed(client, filter, limit);
    const { palette, columns } = world.out;
    const heading = ["ID", "STATE", "ATTEMPTS", "ACTIVE", "NAME", "TITLE"].map(
      (text) => ({ text, paint: palette.dim }),
    );
    answer(world, { tasks, next }, () =>
      tasks.length === 0
        ? nothing(Object.keys(filter).length > 0, world.program)
        : table(
            [heading, ...tasks.map((task) => row(task, palette, world.now()))],
            columns,
          ),
    );
    return 0;
  },
});

const listed = async (
  client: Client,
  filter: Parameters<typeof allTasks>[1],
  limit: number | undefined,
): Promise<{ tasks: Task[]; next: string | null }> =>
  limit === undefined || limit === 0
    ? { tasks: await collect(allTasks(client, filter)), next: null }
    : client.listTasks({ ...filter, limit });

const row = (task: Task, palette: Palette, now: Date): Cell[] => [
  { text: task.id },
  { text: task.state, paint: taskColour(task.state, palette) },
  { text: String(task.attempts) },
  { text: age(task.last_updated, now) },
  { text: oneLine(task.name ?? "-") },
  {
    text: `${task.needs_permission ? "asks you: " : ""}${oneLine(task.title)}`,
  },
];

const nothing = (isFiltered: boolean, program: string): string =>
  isFiltered
    ? `No such tasks. \`${program} task list\` shows all.`
    : `No tasks yet. Create one with \`${program} task create\`.`;
