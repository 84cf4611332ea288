/** What is written about webhooks. The term was checked before. */
import type { DatabaseSync } from "node:sqlite";
import type {
  DeliveryProgress,
  SwitchedOff,
} from "../../../runtime/ports/webhook-store.ts";
import { deliveryWrites } from "../tables/webhooks/deliveries.ts";
import { switchedOffWrites } from "../tables/webhooks/switched-off.ts";
import { unreachable } from "../../../kit/unreachable.ts";

export type WebhookChange =
  | { kind: "progress"; progress: DeliveryProgress }
  | { kind: "make_due"; channel: string; at: string }
  | { kind: "keep"; channels: readonly string[] }
  | { kind: "off"; off: SwitchedOff }
  | { kind: "on"; channel: string };

export interface WebhookWrites {
  changeWebhooks: {
    query: { term: number; change: WebhookChange };
    answer: null;
  };
}

export const webhookWritesOf = (db: DatabaseSync) => {
  const deliveries = deliveryWrites(db);
  const off = switchedOffWrites(db);
  return (change: WebhookChange): void => {
    switch (change.kind) {
      case "progress":
        return deliveries.record(change.progress);
      case "make_due":
        return deliveries.makeDue(change.channel, change.at);
      case "keep":
        deliveries.keep(change.channels);
        return off.keep(change.channels);
      case "off":
        return off.put(change.off);
      case "on":
        return off.drop(change.channel);
      default:
        return unreachable(change);
    }
  };
};
