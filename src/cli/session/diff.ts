import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { diffText } from "../text/files/change.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

const moment = "the number of a turn, the id of a checkpoint, or now";

export const diff = command({
  name: "session diff",
  summary: "Show what changed in the workspace",
  about:
    "Without FROM and TO: what the newest turn changed. With one turn: what that turn changed. With both: what is different between the two.",
  args: [
    sessionArgument,
    { name: "FROM", help: moment, optional: true },
    { name: "TO", help: moment, optional: true },
  ],
  options: {
    names: { kind: "flag", help: "only which files, not what is in them" },
  },
  examples: [
    "reprise session diff ses_01jm",
    "reprise session diff ses_01jm 3",
    "reprise session diff ses_01jm 0 now --names",
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const found = await client.showDiff(id, {
      text: !options.names,
      ...(args.FROM === undefined ? {} : { from: args.FROM }),
      ...(args.TO === undefined ? {} : { to: args.TO }),
    });
    answer(world, found, () => diffText(found, world.out.palette));
    return 0;
  },
});
