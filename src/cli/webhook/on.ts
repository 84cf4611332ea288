import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { count } from "../terminal/age.ts";
import { webhookArgument } from "./argument.ts";

export const on = command({
  name: "webhook on",
  summary: "Switch a webhook on that its receiver has switched off",
  about:
    "A receiver switches a webhook off by answering 410. What happened meanwhile is sent now, and so is everything else that waits.",
  args: [webhookArgument],
  options: {},
  examples: ["reprise webhook on ci"],
  async run({ args }, world) {
    const client = await world.client();
    const webhook = await client.switchOnWebhook(args.ID);
    answer(world, webhook, () =>
      webhook.waiting === 0
        ? `${webhook.id} is on.`
        : `${webhook.id} is on. What waits in ${count(webhook.waiting, "session")} is sent now.`,
    );
    return 0;
  },
});
