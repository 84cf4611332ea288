import { command } from "../command.ts";
import { answer } from "../print.ts";
import { sessionCard } from "../text/session-card.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const show = command({
  name: "session show",
  summary: "Show a session and what it waits for",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session show ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.showSession(id);
    answer(world, session, () => sessionCard(session, world, world.now()));
    return 0;
  },
});
