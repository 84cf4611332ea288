import type { WebhookSettings } from "../../contract/api/webhook-settings.ts";
import type { Channel } from "../channel.ts";
import { isSent } from "../message/message.ts";
import { signatureOf } from "../message/signature.ts";
import { PAUSES_MS } from "../schedule.ts";
import { post } from "./post.ts";
import { readKeys } from "./secret.ts";

export interface WebhookParts {
  secretFile: string;
  version: string;
  timeoutMs: number;
  now: () => Date;
}

/** A webhook by the Standard Webhooks scheme. */
export const webhookChannel = (
  { id, url, events }: WebhookSettings,
  { secretFile, version, timeoutMs, now }: WebhookParts,
): Channel => {
  const types: ReadonlySet<string> = new Set(events);
  return {
    id,
    kind: "webhook",
    url,
    events,
    wants: (event) => types.has(event.type) && isSent(event),
    // Programs are told what happened, whatever became of it.
    isSettled: () => false,
    pausesMs: PAUSES_MS,
    maxAgeMs: null,
    async problem() {
      const keys = await readKeys(secretFile);
      return "problem" in keys ? keys.problem : null;
    },
    async send(message, signal) {
      const keys = await readKeys(secretFile);
      if ("problem" in keys)
        return { kind: "failed", status: null, error: keys.problem };
      const timestamp = Math.floor(now().getTime() / 1000);
      return post({
        url,
        headers: {
          "content-type": "application/json",
          "user-agent": `Reprise/${version}`,
          "webhook-id": message.id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signatureOf(
            keys.value,
            message.id,
            timestamp,
            message.body,
          ),
        },
        body: message.body,
        timeoutMs,
        signal,
      });
    },
  };
};
