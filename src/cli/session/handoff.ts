import { command } from "../command.ts";
import { answer } from "../print.ts";
import { oneLine } from "../sanitize.ts";
import { sessionArgument, targetOf } from "./target.ts";

export const handoff = command({
  name: "session handoff",
  summary: "Let another agent go on with a session",
  about:
    "It works in the same directory and is told what was said so far with its first prompt.",
  args: [sessionArgument],
  options: {
    agent: {
      kind: "text",
      value: "A",
      help: "the agent that goes on; `reprise agents` lists them",
      required: true,
    },
  },
  examples: ["reprise session handoff ses_01jm --agent demo-inject"],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.handOffSession(id, options.agent);
    answer(
      world,
      session,
      () =>
        `${id} is ${oneLine(session.agent)}'s now. It starts with the next prompt: \`${world.program} session prompt ${id} "…" --follow\`.`,
    );
    return 0;
  },
});
