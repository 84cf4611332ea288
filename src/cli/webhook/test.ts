import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { testOutcome } from "../text/webhook.ts";
import { webhookArgument } from "./argument.ts";

export const test = command({
  name: "webhook test",
  summary: "Send a test event to a webhook, once",
  about: "Its type is `webhook.test`. It is signed like every other event.",
  args: [webhookArgument],
  options: {},
  examples: ["reprise webhook test ci"],
  exits: { 1: "it was not delivered" },
  async run({ args }, world) {
    const client = await world.client();
    const tested = await client.testWebhook(args.ID);
    answer(world, tested, () => oneLine(testOutcome(args.ID, tested)));
    return tested.delivered ? 0 : 1;
  },
});
