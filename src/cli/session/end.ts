import { command } from "../command.ts";
import { answer } from "../print.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const end = command({
  name: "session end",
  summary: "End a session for good",
  about: "Its conversation and files stay; it cannot be resumed.",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session end ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.endSession(id);
    answer(world, session, () => `${id} is ${session.state}.`);
    return 0;
  },
});
