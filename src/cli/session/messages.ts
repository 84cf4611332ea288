import { command } from "../command.ts";
import { answer } from "../print.ts";
import { conversation } from "../text/conversation.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const messages = command({
  name: "session messages",
  summary: "Print the conversation",
  args: [sessionArgument],
  options: {},
  examples: ["reprise session messages ses_01jm"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const page = await client.listMessages(id);
    answer(world, page, () => conversation(page.messages, world.out.palette));
    return 0;
  },
});
