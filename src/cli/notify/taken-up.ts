/** Whether the server has taken new settings up. */
import { ServerUnreachable } from "../../client/client.ts";
import type { NotifySettings } from "../../contract/api/webhook-settings.ts";
import type { World } from "../terminal/world.ts";

export type TakenUp = "now" | "at start" | "elsewhere";

/** The server reads the settings anew before it answers. */
export const takenUp = async (
  { desktop, url }: NotifySettings,
  world: World,
): Promise<TakenUp> => {
  try {
    const { webhooks } = await (await world.client()).listWebhooks();
    const has = (kind: string): boolean =>
      webhooks.some((each) => each.kind === kind);
    return has("desktop") === desktop && has("push") === (url !== null)
      ? "now"
      : "elsewhere";
  } catch (error) {
    if (error instanceof ServerUnreachable) return "at start";
    throw error;
  }
};

export const takenUpWords: Readonly<Record<TakenUp, string>> = {
  now: "The server has taken it up.",
  "at start": "No server runs; it holds when one starts.",
  elsewhere:
    "The server that answers has other settings: it has another home, or is of an older release and must be started again.",
};
