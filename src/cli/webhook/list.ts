import type { WebhookView } from "../../contract/api/webhook-route.ts";
import { command } from "../parsing/command.ts";
import { count } from "../terminal/age.ts";
import type { Palette } from "../terminal/palette.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Cell, table } from "../terminal/table.ts";
import { standing } from "../text/webhook.ts";

export const list = command({
  name: "webhook list",
  summary: "List webhooks and notifications, and whether they get through",
  about:
    "Webhooks are set up in config.json (`webhooks`), notifications with `reprise notify`. The server takes changes up while it runs.",
  args: [],
  options: {},
  examples: ["reprise webhook list"],
  async run(_, world) {
    const client = await world.client();
    const page = await client.listWebhooks();
    const { palette, columns } = world.out;
    const heading = ["ID", "STATE", "WAITING", "ADDRESS", "HOW IT DOES"].map(
      (text) => ({ text, paint: palette.dim }),
    );
    answer(world, page, () =>
      page.webhooks.length === 0
        ? "No webhooks. They are set up in config.json; see docs/guide/webhooks.md."
        : table(
            [
              heading,
              ...page.webhooks.map((each) => row(each, world.now(), palette)),
            ],
            columns,
          ),
    );
    return 0;
  },
});

const row = (webhook: WebhookView, now: Date, palette: Palette): Cell[] => [
  { text: webhook.id },
  {
    text: webhook.state,
    paint: webhook.state === "on" ? palette.green : palette.yellow,
  },
  { text: webhook.waiting === 0 ? "-" : count(webhook.waiting, "session") },
  { text: oneLine(webhook.url ?? "this desktop") },
  { text: oneLine(standing(webhook, now)) },
];
