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
    const { webhooks } = await client.listWebhooks();
    const isOff = webhooks.some(
      ({ id, state }) => id === args.ID && state === "off",
    );
    const next = isOff
      ? ` It is switched off all the same; \`${world.program} webhook on ${args.ID}\` switches it on.`
      : "";
    answer(world, tested, () => oneLine(testOutcome(args.ID, tested) + next));
    return tested.delivered ? 0 : 1;
  },
});
