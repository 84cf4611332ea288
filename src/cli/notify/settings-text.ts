import type { NotifySettings } from "../../contract/api/webhook-settings.ts";
import { hideInUrl } from "../../kit/data/hide-credentials.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { fields } from "../terminal/table.ts";
import type { World } from "../terminal/world.ts";

export const settingsText = (
  { desktop, url, token_file, on }: NotifySettings,
  { palette }: World["out"],
): string =>
  fields(
    [
      ["desktop", desktop ? "on" : "off"],
      ["url", url === null ? "off" : oneLine(shownUrl(url))],
      ...(token_file === null
        ? []
        : ([["token in", oneLine(token_file)]] as const)),
      ["when", on.map((reason) => reasons[reason]).join(", ")],
    ],
    palette.dim,
  );

/** The same without what may be a credential in the address. */
export const shownSettings = (settings: NotifySettings): NotifySettings => ({
  ...settings,
  url: settings.url === null ? null : shownUrl(settings.url),
});

const shownUrl = (url: string): string => hideInUrl(url, () => "…");

const reasons = {
  needs_you: "a session needs you",
  finished: "a turn is finished",
};
