import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const deleteSession = command({
  name: "session delete",
  summary: "Put a session into the trash",
  about:
    "Its agent is stopped. Nothing of it is lost until the trash is emptied, after `trash_days` (7 unless configured).",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session delete ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.deleteSession(id);
    answer(
      world,
      session,
      () =>
        `${id} is in the trash. Take it out again with \`${world.program} session undelete ${id}\`.`,
    );
    return 0;
  },
});
