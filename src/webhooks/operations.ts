/** What people and programs may ask of webhooks and notifications. */
import {
  type DeliveryView,
  WebhookTest,
  type WebhookView,
} from "../contract/api/webhook-route.ts";
import { NoDraft } from "../contract/event/draft.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { once, type Receipts } from "../journal/receipts.ts";
import { hideInUrl } from "../kit/data/hide-credentials.ts";
import { ulid } from "../kit/data/ulid.ts";
import { Lanes } from "../kit/time/lanes.ts";
import { unreachable } from "../kit/unreachable.ts";
import type { Clock } from "../runtime/ports/home.ts";
import type { Store } from "../runtime/ports/store.ts";
import type {
  Delivery,
  DeliveryCounts,
} from "../runtime/ports/webhook-store.ts";
import type { Channel, Outcome } from "./channel.ts";
import type { Deliverer } from "./deliverer.ts";
import { testMessage } from "./message/message.ts";

interface Deps {
  store: Store;
  deliverer: Deliverer;
  clock: Clock;
  receipts: Receipts;
  /** Those of the newest settings, which are read anew where they were changed. */
  channels(): Promise<readonly Channel[]>;
}

export const webhookOperations = (deps: Deps) => {
  const { store, deliverer, clock, receipts } = deps;
  const lanes = new Lanes();

  const find = async (id: string): Promise<Channel> => {
    const channels = await deps.channels();
    const found = channels.find((each) => each.id === id);
    if (found !== undefined) return found;
    const known = channels.map((each) => each.id).join(", ");
    throw new RepriseError(
      "webhook_not_found",
      `There is no webhook ${JSON.stringify(id.slice(0, 100))} in config.json. ${known === "" ? "There is none at all." : `There are: ${known}.`}`,
    );
  };

  const viewOf = async (
    channel: Channel,
    counts: readonly DeliveryCounts[],
  ): Promise<WebhookView> => {
    const { id, kind, url, events } = channel;
    const count = counts.find((each) => each.channel === id);
    const [last] = await store.deliveries({ channel: id, limit: 1 });
    const off_at = deliverer.offAt(channel);
    const unusable = await channel.problem();
    const problem =
      off_at === null
        ? unusable
        : "Its receiver answered that it wants nothing more (410).";
    return {
      id,
      kind,
      url: url === null ? null : hideInUrl(url, () => "…"),
      events: [...events],
      state: standingOf(off_at, unusable),
      problem,
      off_at,
      waiting: count?.waiting ?? 0,
      failing: count?.failing ?? 0,
      passed_over: count?.passed_over ?? 0,
      last: last === undefined ? null : deliveryView(last),
    };
  };

  return {
    async listWebhooks(): Promise<WebhookView[]> {
      const channels = await deps.channels();
      const counts = await store.deliveryCounts();
      return Promise.all(channels.map((each) => viewOf(each, counts)));
    },

    async listDeliveries(query: {
      webhook?: string | undefined;
      limit: number;
    }): Promise<DeliveryView[]> {
      const { webhook = null, limit } = query;
      if (webhook !== null) await find(webhook);
      const found = await store.deliveries({ channel: webhook, limit });
      return found.map(deliveryView);
    },

    testWebhook: async (id: string, key?: string): Promise<WebhookTest> => {
      const channel = await find(id);
      return once(
        { receipts, lanes },
        {
          scope: "webhooks",
          key,
          request: { operation: "test", id },
          draft: NoDraft,
          answer: WebhookTest,
          begin: async () => null,
          finish: async () => {
            const now = clock.now();
            const began = performance.now();
            const outcome = await channel.send(
              testMessage(ulid(now.getTime()), now.toISOString()),
              new AbortController().signal,
            );
            const took_ms = Math.round(performance.now() - began);
            return { ...testOf(outcome), took_ms };
          },
        },
      );
    },

    async switchOnWebhook(id: string): Promise<WebhookView> {
      const channel = await find(id);
      await deliverer.switchOn(channel);
      return viewOf(channel, await store.deliveryCounts());
    },
  };
};

const standingOf = (
  off_at: string | null,
  unusable: string | null,
): WebhookView["state"] => {
  if (off_at !== null) return "off";
  return unusable === null ? "on" : "unusable";
};

const testOf = (outcome: Outcome): Omit<WebhookTest, "took_ms"> => {
  const { status } = outcome;
  switch (outcome.kind) {
    case "delivered":
      return { delivered: true, status, error: null };
    case "failed":
      return { delivered: false, status, error: outcome.error };
    case "gone":
      return {
        delivered: false,
        status,
        error: "the receiver wants nothing more (410)",
      };
    default:
      return unreachable(outcome);
  }
};

const deliveryView = ({
  channel,
  subject,
  ...rest
}: Delivery): DeliveryView => ({
  ...rest,
  webhook: channel,
  session_id: isSession(subject) ? subject : null,
  task_id: isSession(subject) ? null : subject,
});

const isSession = (
  subject: Delivery["subject"],
): subject is NonNullable<DeliveryView["session_id"]> =>
  subject.startsWith("ses_");
