import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { changeOf, changeOptions } from "./shared/definition.ts";
import { profileOption, whoIn } from "./shared/profile.ts";
import { UsageError } from "../parsing/usage-error.ts";
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
    },
    profile: profileOption,
    ...changeOptions,
  },
  examples: [
    "reprise session handoff ses_01jm --agent demo-inject",
    "reprise session handoff ses_01jm --profile review",
    "reprise session handoff ses_01jm --agent demo-inject --mode read-only --without model",
  ],
  async run({ args, options }, world) {
    const { agent, profile, ...changed } = options;
    if (agent === undefined && profile === undefined)
      throw new UsageError("Say who goes on: give --agent or --profile.");
    const { client, id } = await targetOf(world, args.ID);
    const session = await client.handOffSession(
      id,
      whoIn({ agent, profile }),
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
