import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { attemptTable } from "../text/task/attempt-table.ts";
import { taskArgument, taskTarget } from "./target.ts";

export const attempts = command({
  name: "task attempts",
  summary: "List the attempts at a task, the first one first",
  about:
    "MEMORY says how the agent came back for an attempt: reattached, native, injected or fresh. FILES is how many files it changed; ? where that is not known.",
  args: [taskArgument],
  options: {},
  examples: [
    "reprise task attempts tsk_01jm",
    "reprise task attempts tsk_01jm --json | jq -r '.attempts[].outcome'",
  ],
  async run({ args }, world) {
    const { client, id } = await taskTarget(world, args.ID);
    const page = await client.listAttempts(id);
    const { palette, columns } = world.out;
    answer(world, page, () =>
      page.attempts.length === 0
        ? `${id} was not tried yet. Run it with \`${world.program} task run ${id}\`.`
        : attemptTable(page.attempts, palette, columns, world.now()),
    );
    return 0;
  },
});
