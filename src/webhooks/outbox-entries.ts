/** Which channels are to be told of an append. It is asked at every commit, so it looks at the types first. */
import { webhookEvents } from "../contract/api/webhook-settings.ts";
import type { OutboxEntry } from "../runtime/ports/webhook-store.ts";
import type { Channel } from "./channel.ts";
import type { JournalEvent } from "./message/message.ts";

const sent: ReadonlySet<string> = new Set(webhookEvents);

export const outboxEntriesOf = (
  channels: readonly Pick<Channel, "id" | "wants">[],
  events: readonly JournalEvent[],
): OutboxEntry[] => {
  const interesting = events.filter(({ type }) => sent.has(type));
  if (interesting.length === 0 || isBroughtAlong(events)) return [];
  return channels.flatMap((channel) => {
    const wanted = interesting.filter((event) => channel.wants(event));
    const [first, last] = [wanted[0], wanted.at(-1)];
    return first === undefined || last === undefined
      ? []
      : [
          {
            channel: channel.id,
            from_seq: first.seq,
            to_seq: last.seq,
            at: last.at,
          },
        ];
  });
};

/** A session that comes with turns was imported: they ended elsewhere, some time ago. */
const isBroughtAlong = (events: readonly JournalEvent[]): boolean =>
  events[0]?.type === "session.created";
