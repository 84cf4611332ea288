import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { started } from "../text/started.ts";
import { readMoment, turnArgument } from "./shared/moment.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const fork = command({
  name: "session fork",
  summary: "Start a session that goes on from a turn of another",
  about:
    "It gets a directory of its own with what the turn left, and an agent that knows what was said up to there. The other session goes its own way; it may have ended.",
  args: [sessionArgument, { ...turnArgument, optional: true }],
  options: {
    name: { kind: "text", value: "N", help: "a name to know it by" },
  },
  examples: [
    "reprise session fork ses_01jm",
    'reprise session fork ses_01jm 2 --name "the other way"',
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.forkSession(id, {
      ...(args.TURN === undefined ? {} : readMoment(args.TURN, id)),
      ...(options.name === undefined ? {} : { name: options.name }),
    });
    const turn = session.parent?.turn ?? 0;
    answer(world, session, () =>
      started(session, `forked from ${id} after turn ${turn}`, world),
    );
    return 0;
  },
});
