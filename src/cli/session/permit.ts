import { command } from "../command.ts";
import { answer } from "../print.ts";
import { oneLine } from "../sanitize.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const permit = command({
  name: "session permit",
  summary: "Answer a permission request",
  about: "`reprise session show ID` lists what is asked and the options.",
  args: [
    sessionArgument,
    { name: "REQUEST", help: "the request, as in per_1_2048" },
    { name: "OPTION", help: "the id of the option chosen" },
  ],
  options: {},
  examples: ["reprise session permit ses_01jm per_1_2048 allow_once"],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const permission = await client.answerPermission(
      id,
      args.REQUEST,
      args.OPTION,
    );
    answer(
      world,
      permission,
      () =>
        `${permission.id} (${oneLine(permission.title)}): ${oneLine(args.OPTION)}.`,
    );
    return 0;
  },
});
