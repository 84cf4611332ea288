/** What channels are to be told, in the database. A row that cannot be read is left out. */
import { DeliveryTry } from "../../contract/api/webhook-route.ts";
import { SessionId, TaskId } from "../../contract/base/id.ts";
import type {
  Delivery,
  SubjectId,
  WebhookStore,
} from "../../runtime/ports/webhook-store.ts";
import { parsed } from "./tables/json-path.ts";
import type { DeliveryRow } from "./tables/webhooks/deliveries.ts";
import type { Reads } from "./reading/reads.ts";
import type { Thread } from "./threads/thread.ts";
import type { WebhookChange } from "./writing/webhook-writes.ts";
import type { Writes } from "./writing/writes.ts";

export const sqliteWebhooks = ({
  reader,
  writer,
}: {
  reader: Thread<Reads>;
  writer: Thread<Writes>;
}): WebhookStore => {
  const change = async (term: number, made: WebhookChange): Promise<void> => {
    await writer.ask("changeWebhooks", { term, change: made });
  };
  return {
    dueDeliveries: async (channel, by, limit) =>
      (await reader.ask("dueDeliveries", { channel, by, limit })).flatMap(
        deliveryIn,
      ),
    nextDeliveryAt: (channel, after) =>
      reader.ask("nextDeliveryAt", { channel, after }),
    deliveries: async (query) =>
      (await reader.ask("deliveries", query)).flatMap(deliveryIn),
    deliveryCounts: () => reader.ask("deliveryCounts", null),
    nextEventOf: (subject, after, up_to, types) =>
      reader.ask("nextEventOf", { subject, after, up_to, types }),
    switchedOff: () => reader.ask("switchedOff", null),
    recordDelivery: (term, progress) =>
      change(term, { kind: "progress", progress }),
    makeDeliveriesDue: (term, channel, at) =>
      change(term, { kind: "make_due", channel, at }),
    removeChannelsExcept: (term, channels) =>
      change(term, { kind: "keep", channels }),
    switchOff: (term, off) => change(term, { kind: "off", off }),
    switchOn: (term, channel) => change(term, { kind: "on", channel }),
  };
};

const deliveryIn = ({ subject, last, ...row }: DeliveryRow): Delivery[] => {
  const id = subjectOf(subject);
  const isSound = [row.after_seq, row.to_seq, row.failures].every((each) =>
    Number.isSafeInteger(each),
  );
  if (id === null || !isSound) return [];
  const tried = last === null ? null : DeliveryTry.safeParse(parsed(last));
  return [{ ...row, subject: id, last: tried?.data ?? null }];
};

const subjectOf = (text: string): SubjectId | null =>
  SessionId.safeParse(text).data ?? TaskId.safeParse(text).data ?? null;
