import { RepriseError } from "../../contract/problem/problem.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { testOutcome } from "../text/webhook.ts";

export const test = command({
  name: "notify test",
  summary: "Send a test notification",
  args: [],
  options: {},
  examples: ["reprise notify test"],
  exits: { 1: "one of them was not delivered" },
  async run(_, world) {
    const client = await world.client();
    const { webhooks } = await client.listWebhooks();
    const ids = webhooks
      .filter(({ kind }) => kind !== "webhook")
      .map(({ id }) => id);
    if (ids.length === 0)
      throw new RepriseError(
        "wrong_state",
        "Notifications are off. Switch them on with `reprise notify desktop on` or `reprise notify url URL`.",
      );
    const tests = await Promise.all(
      ids.map(async (id) => ({ id, ...(await client.testWebhook(id)) })),
    );
    answer(world, { tests }, () =>
      tests.map((each) => oneLine(testOutcome(each.id, each))).join("\n"),
    );
    return tests.every(({ delivered }) => delivered) ? 0 : 1;
  },
});
