/** The channels that the settings ask for. */
import { resolve } from "node:path";
import type { Config } from "../contract/api/config.ts";
import type { WebhookEvent } from "../contract/api/webhook-settings.ts";
import type { Channel } from "./channel.ts";
import { isSettled, notifyReasonOf } from "./message/note.ts";
import { desktopChannel } from "./send/desktop.ts";
import { pushChannel } from "./send/push.ts";
import { webhookChannel } from "./send/webhook.ts";

export type ChannelSettings = Pick<Config, "webhooks" | "notify">;

export interface ChannelParts {
  home: string;
  version: string;
  env: NodeJS.ProcessEnv;
  now: () => Date;
  timeoutMs?: number;
  platform?: NodeJS.Platform;
}

/** How long a receiver may take. */
const TIMEOUT_MS = 20_000;

/** What people are notified of. */
const notified: readonly WebhookEvent[] = [
  "session.turn.ended",
  "session.turn.interrupted",
  "session.prompt.uncertain",
  "session.permission.requested",
  "session.state_changed",
];

export const channelsOf = (
  { webhooks, notify }: ChannelSettings,
  parts: ChannelParts,
): Channel[] => {
  const { home, timeoutMs = TIMEOUT_MS, version } = parts;
  const wishes: Pick<Channel, "events" | "wants" | "isSettled"> = {
    events: notified,
    isSettled,
    wants: (event) => {
      const reason = notifyReasonOf(event);
      return reason !== null && notify.on.includes(reason);
    },
  };
  return [
    ...webhooks.map((settings) =>
      webhookChannel(settings, {
        ...parts,
        timeoutMs,
        secretFile: resolve(home, settings.secret_file),
      }),
    ),
    ...(notify.desktop
      ? [
          desktopChannel({
            ...wishes,
            platform: parts.platform ?? process.platform,
            env: parts.env,
          }),
        ]
      : []),
    ...(notify.url === null
      ? []
      : [
          pushChannel({
            ...wishes,
            url: notify.url,
            tokenFile:
              notify.token_file === null
                ? null
                : resolve(home, notify.token_file),
            timeoutMs,
            version,
          }),
        ]),
  ];
};
