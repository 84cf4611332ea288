/** `webhooks` and `notify` of `config.json`. */
import * as z from "zod";

export const webhookEvents = [
  "session.turn.ended",
  "session.turn.interrupted",
  "session.prompt.uncertain",
  "session.permission.requested",
  "session.state_changed",
  "task.state_changed",
  "task.attempt.ended",
] as const;
export const WebhookEvent = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** An address that requests may be sent to. Credentials belong into files. */
export const HttpUrl = z
  .string()
  .max(2000)
  .superRefine((text, context) => {
    const why = whyNoHttpUrl(text);
    if (why !== null) context.addIssue({ code: "custom", message: why });
  });

/** Why requests cannot be sent to this address; null when they can. */
export const whyNoHttpUrl = (text: string): string | null => {
  const url = URL.parse(text);
  if (url === null) return "must be an address that begins with https://";
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return "must begin with http:// or https://";
  return url.username === "" && url.password === ""
    ? null
    : "must not hold a user name or a password";
};

const WebhookId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "must consist of lower-case letters, digits, - and _",
  );

const FileName = z.string().min(1).max(4096);

export const WebhookSettings = z.strictObject({
  id: WebhookId,
  url: HttpUrl,
  /** In the home, unless the path is absolute. */
  secret_file: FileName,
  events: z
    .array(WebhookEvent)
    .min(1)
    .default([...webhookEvents]),
});
export type WebhookSettings = z.infer<typeof WebhookSettings>;

export const Webhooks = z
  .array(WebhookSettings)
  .max(50)
  .superRefine((webhooks, context) => {
    for (const [at, { id }] of webhooks.entries())
      if (webhooks.findIndex((each) => each.id === id) < at)
        context.addIssue({
          code: "custom",
          path: [at, "id"],
          message: `another webhook has the id ${id}`,
        });
  });

export const NotifyReason = z.enum(["needs_you", "finished"]);
export type NotifyReason = z.infer<typeof NotifyReason>;

export const NotifySettings = z.strictObject({
  /** Whether notifications are shown on the desktop of the server. */
  desktop: z.boolean().default(false),
  /** Where ntfy, or a service like it, takes messages. */
  url: HttpUrl.nullable().default(null),
  token_file: FileName.nullable().default(null),
  on: z.array(NotifyReason).min(1).default(["needs_you", "finished"]),
});
export type NotifySettings = z.infer<typeof NotifySettings>;
