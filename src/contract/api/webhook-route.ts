/** Webhooks and notifications as the API shows them, and their routes. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { SessionId, TaskId } from "../base/id.ts";
import { EmptyRequest } from "./request.ts";
import { WebhookEvent } from "./webhook-settings.ts";

/** The last that was sent to a channel about one session or task. */
export const DeliveryTry = z.object({
  seq: z.number().int(),
  at: z.iso.datetime(),
  outcome: z.enum(["delivered", "failed", "passed_over"]),
  /** The status of the answer, where one came. */
  status: z.number().int().nullable(),
  /** Why it failed, in words. */
  error: z.string().nullable(),
});
export type DeliveryTry = z.infer<typeof DeliveryTry>;

export const DeliveryView = z.object({
  webhook: z.string(),
  session_id: SessionId.nullable(),
  task_id: TaskId.nullable(),
  /** Everything up to this event was sent or passed over. */
  after_seq: z.number().int(),
  /** The newest event to be sent. */
  to_seq: z.number().int(),
  /** How often the next event was tried in vain. */
  failures: z.number().int(),
  /** Null when nothing waits. */
  next_at: z.iso.datetime().nullable(),
  /** How many events were given up. */
  passed_over: z.number().int(),
  last: DeliveryTry.nullable(),
});
export type DeliveryView = z.infer<typeof DeliveryView>;

export const WebhookView = z.object({
  id: z.string(),
  kind: z.enum(["webhook", "desktop", "push"]),
  /** Without what may be a credential; null for the desktop. */
  url: z.string().nullable(),
  events: z.array(WebhookEvent),
  state: z.enum(["on", "off", "unusable"]),
  /** Why nothing is sent, and what to do. */
  problem: z.string().nullable(),
  off_at: z.iso.datetime().nullable(),
  /** Sessions and tasks with something to send. */
  waiting: z.number().int(),
  /** How many of them failed last time. */
  failing: z.number().int(),
  /** How many events were given up. */
  passed_over: z.number().int(),
  last: DeliveryView.nullable(),
});
export type WebhookView = z.infer<typeof WebhookView>;

export const WebhookTest = z.object({
  delivered: z.boolean(),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  took_ms: z.number().int(),
});
export type WebhookTest = z.infer<typeof WebhookTest>;

const next = z.string().nullable();
export const WebhookPage = z.object({ webhooks: z.array(WebhookView), next });
export const DeliveryPage = z.object({
  deliveries: z.array(DeliveryView),
  next,
});

export const DeliveriesQuery = z.strictObject({
  webhook: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

export const webhookRoutes = {
  listWebhooks: {
    ...endpoint("listWebhooks"),
    summary: "Webhooks and notifications, and how each does",
    answer: WebhookPage,
  },
  listDeliveries: {
    ...endpoint("listDeliveries"),
    summary: "How far webhooks got with each session and task, newest first",
    query: DeliveriesQuery,
    answer: DeliveryPage,
  },
  testWebhook: {
    ...endpoint("testWebhook"),
    summary: "Send a test event, once",
    body: EmptyRequest,
    answer: WebhookTest,
  },
  switchOnWebhook: {
    ...endpoint("switchOnWebhook"),
    summary: "Switch a webhook on that its receiver has switched off",
    body: EmptyRequest,
    answer: WebhookView,
  },
} as const;
