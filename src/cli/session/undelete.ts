import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const undelete = command({
  name: "session undelete",
  summary: "Take a session out of the trash",
  about: "`reprise session list --deleted` shows what is in it.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session undelete ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const { deleted_at } = await client.showSession(id);
    const session = await client.undeleteSession(id);
    const outcome = deleted_at === null ? "was not in the trash" : "is back";
    answer(world, session, () => `${id} ${outcome}. It is ${session.state}.`);
    return 0;
  },
});
