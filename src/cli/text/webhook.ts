import type {
  DeliveryTry,
  WebhookTest,
  WebhookView,
} from "../../contract/api/webhook-route.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { ago, count } from "../terminal/age.ts";

/** How a webhook does, in words. */
export const standing = (
  { problem, passed_over, last }: WebhookView,
  now: Date,
): string =>
  [
    ...(problem === null ? [] : [problem]),
    ...(passed_over === 0
      ? []
      : [`${count(passed_over, "event")} passed over`]),
    last?.last == null ? "nothing was sent yet" : tried(last.last, now),
  ].join("; ");

export const tried = (
  { outcome, status, error, at }: DeliveryTry,
  now: Date,
): string => {
  const when = ago(at, now);
  switch (outcome) {
    case "delivered":
      return `delivered ${when}${status === null ? "" : ` (${status})`}`;
    case "failed":
      return `failed ${when}: ${error ?? String(status)}`;
    case "passed_over":
      return `passed over ${when}: ${error ?? String(status)}`;
    default:
      return unreachable(outcome);
  }
};

export const testOutcome = (
  id: string,
  { delivered, status, error, took_ms }: WebhookTest,
): string =>
  delivered
    ? `${id}: delivered in ${took_ms} ms${status === null ? "" : ` (${status})`}.`
    : `${id}: not delivered: ${(error ?? String(status)).replace(/\.$/, "")}.`;
