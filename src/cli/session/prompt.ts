import { attachmentsOf, attachOption } from "../server/attach.ts";
import { command } from "../parsing/command.ts";
import { followExits } from "../follow/follow.ts";
import { limitOptions, promptLimitsOf } from "./shared/limits.ts";
import { promptText } from "../server/prompt-text.ts";
import { sendPrompt } from "./shared/send-prompt.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const prompt = command({
  name: "session prompt",
  summary: "Give a session a prompt",
  about:
    "It is durable when the command returns, waits its turn, and brings the agent back if it is gone.",
  args: [
    sessionArgument,
    { name: "TEXT", help: "the prompt; - reads it from standard input" },
  ],
  options: {
    key: {
      kind: "text",
      value: "K",
      help: "idempotency key: the same key and text again is the same prompt",
    },
    attach: attachOption,
    ...limitOptions,
    follow: {
      kind: "flag",
      help: "watch until the turn of this prompt has ended",
    },
  },
  examples: [
    'reprise session prompt ses_01jm "now the documentation" --follow',
    "reprise session prompt ses_01jm - < plan.md",
    'reprise session prompt ses_01jm "what is wrong here?" --attach screen.png',
    'reprise session prompt ses_01jm "deploy" --key deploy-42',
    'reprise session prompt ses_01jm "review the last commit" --disallowed-tools edit --max-tool-calls 30',
  ],
  exits: followExits,
  async run({ args, options }, world) {
    const { limits } = promptLimitsOf(options);
    const text = await promptText(world, args.TEXT);
    const { client, id } = await targetOf(world, args.ID);
    const attachments = await attachmentsOf(world, options.attach);
    return sendPrompt(world, client, id, {
      text,
      attachments,
      limits,
      ...options,
    });
  },
});
