import { callerEnv } from "../../local/caller-env.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { comeBackCommand } from "../text/next-command.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const resolve = command({
  name: "session resolve",
  summary: "Decide about an interrupted or uncertain prompt",
  about:
    "continue asks the agent to go on from where it was, resend gives it the same prompt once more, drop leaves it.",
  args: [
    sessionArgument,
    { name: "PROMPT", help: "the prompt's id; `session show` names it" },
    {
      name: "ACTION",
      help: "what is to become of it",
      choices: ["continue", "resend", "drop"],
    },
  ],
  options: {},
  examples: [
    "reprise session resolve ses_01jm prm_01jm7efs0rsn2vpta4q14a051n continue",
  ],
  async run({ args }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const prompt = await client.resolvePrompt(
      id,
      args.PROMPT,
      args.ACTION,
      await callerEnv(world),
    );
    const watch =
      args.ACTION === "drop"
        ? ""
        : `\nWatch it with \`${comeBackCommand(world.program, id)}\`.`;
    answer(world, prompt, () => `${prompt.id}: ${args.ACTION}.${watch}`);
    return 0;
  },
});
