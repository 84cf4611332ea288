import type { DeliveryView } from "../../contract/api/webhook-route.ts";
import { command } from "../parsing/command.ts";
import { duration } from "../terminal/age.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Cell, table } from "../terminal/table.ts";
import { tried } from "../text/webhook.ts";

export const deliveries = command({
  name: "webhook deliveries",
  summary: "Show how far webhooks got with each session and task",
  about:
    "The newest first. EVENT is the last event that was sent or passed over, and the newest one that is to be sent.",
  args: [{ name: "ID", help: "only those of this webhook", optional: true }],
  options: {},
  examples: ["reprise webhook deliveries", "reprise webhook deliveries ci"],
  async run({ args }, world) {
    const client = await world.client();
    const page = await client.listDeliveries(
      args.ID === undefined ? {} : { webhook: args.ID },
    );
    const { palette, columns } = world.out;
    const heading = ["WEBHOOK", "OF", "EVENT", "NEXT TRY", "LAST TRY"].map(
      (text) => ({ text, paint: palette.dim }),
    );
    answer(world, page, () =>
      page.deliveries.length === 0
        ? "Nothing was sent yet, and nothing waits."
        : table(
            [heading, ...page.deliveries.map((each) => row(each, world.now()))],
            columns,
          ),
    );
    return 0;
  },
});

const row = (delivery: DeliveryView, now: Date): Cell[] => {
  const { webhook, session_id, task_id, after_seq, to_seq, last } = delivery;
  return [
    { text: webhook },
    { text: session_id ?? task_id ?? "-" },
    { text: after_seq >= to_seq ? `${to_seq}` : `${after_seq} of ${to_seq}` },
    { text: nextTry(delivery, now) },
    { text: last === null ? "none yet" : oneLine(tried(last, now)) },
  ];
};

const nextTry = ({ next_at, failures }: DeliveryView, now: Date): string => {
  if (next_at === null) return "-";
  const ms = Date.parse(next_at) - now.getTime();
  const when = ms <= 0 ? "now" : `in ${duration(ms)}`;
  return failures === 0 ? when : `${when}, ${failures + 1} of 10`;
};
