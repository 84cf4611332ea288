import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { changeOf, changeOptions } from "./shared/definition.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const handoff = command({
  name: "session handoff",
  summary: "Let another agent go on with a session",
  about:
    "It works in the same directory and is told what was said so far with its first prompt. A mode, a model and settings mean nothing to another agent: say what takes their place, or leave them out.",
  args: [sessionArgument],
  options: {
    agent: {
      kind: "text",
      value: "A",
      help: "the agent that goes on; `reprise agents` lists them",
      required: true,
    },
    ...changeOptions,
  },
  examples: [
    "reprise session handoff ses_01jm --agent demo-inject",
    "reprise session handoff ses_01jm --agent demo-inject --mode read-only --without model",
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const { agent, ...changed } = options;
    const session = await client.handOffSession(
      id,
      agent,
      await changeOf(world, changed),
    );
    answer(
      world,
      session,
      () =>
        `${id} is ${oneLine(session.agent)}'s now. It starts with the next prompt: \`${world.program} session prompt ${id} "…" --follow\`.`,
    );
    return 0;
  },
});
