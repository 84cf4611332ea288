import type { WebhookView } from "../../contract/api/webhook-route.ts";
import { count } from "../terminal/age.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Finding, ok, warn } from "./check.ts";

/** Webhooks and notifications that reach nobody, or did not reach somebody. */
export const checkWebhooks = (webhooks: readonly WebhookView[]): Finding[] => {
  if (webhooks.length === 0) return [];
  const found = webhooks.flatMap(troubleOf);
  return found.length > 0
    ? found
    : [ok("webhooks", webhooks.map(({ id }) => id).join(", "))];
};

const troubleOf = (webhook: WebhookView): Finding[] => {
  const { id, state, problem, passed_over, last } = webhook;
  const name = "webhooks";
  const found: Finding[] = [];
  if (state === "off")
    found.push(
      warn(
        name,
        `${id} is switched off: ${oneLine(problem ?? "")}`,
        `reprise webhook on ${id}`,
      ),
    );
  if (state === "unusable")
    found.push(warn(name, `${id} cannot be used: ${oneLine(problem ?? "")}`));
  if (passed_over > 0)
    found.push(
      warn(
        name,
        `${id} was not told of ${count(passed_over, "event")}, which were passed over after all tries`,
        `reprise webhook deliveries ${id}`,
      ),
    );
  const tried = last?.last ?? null;
  if (state === "on" && tried?.outcome === "failed")
    found.push(
      warn(
        name,
        `${id} could not be reached: ${oneLine(tried.error ?? String(tried.status))}`,
        `reprise webhook test ${id}`,
      ),
    );
  return found;
};
