import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const cancel = command({
  name: "session cancel",
  summary: "Cancel the turn in progress",
  about: "The agent stays; prompts that wait stay too.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session cancel ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.cancelTurn(id);
    answer(world, session, () => `${id}: the agent is told to stop its turn.`);
    return 0;
  },
});
