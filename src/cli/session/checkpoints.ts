import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { checkpointTable } from "../text/files/checkpoint.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const checkpoints = command({
  name: "session checkpoints",
  summary: "List the checkpoints of a session",
  about:
    "Each holds the whole workspace and the agent's own session files. NEW is what it added to the disk.",
  args: [sessionArgument],
  options: {},
  examples: [
    "reprise session checkpoints ses_01jm",
    "reprise session checkpoints ses_01jm --json | jq '.checkpoints[-1]'",
  ],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const page = await client.listCheckpoints(id);
    answer(world, page, () =>
      page.checkpoints.length === 0
        ? `${id} has no checkpoints.`
        : checkpointTable(page.checkpoints, world.out, world.now()),
    );
    return 0;
  },
});
