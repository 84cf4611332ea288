/** The rest of a new session, in a few sentences. */
import type { Form } from "./form.ts";

export const permissionWords = {
  none: "Asks you what it would ask in a terminal.",
  ask: "Asks you before every tool that needs it, and stops where it cannot be held to that.",
  "allow-read": "Reads without asking, and asks you before it writes or runs.",
  "allow-all": "Asks you nothing.",
} as const;

export const restSentence = (
  form: Form,
  { checkpoints }: { checkpoints: boolean },
): string =>
  [
    ...(form.name.trim() === "" ? [] : [`Is called “${form.name.trim()}”.`]),
    ...(form.model.trim() === "" ? [] : [`Model ${form.model.trim()}.`]),
    ...(form.mode.trim() === "" ? [] : [`Mode ${form.mode.trim()}.`]),
    permissionWords[form.permissions ?? "none"],
    form.onInterrupt === "wait"
      ? "Waits for you when a turn is cut off."
      : "Goes on by itself when a turn is cut off.",
    ...(form.onQuota === null ? [] : [quotaWords[form.onQuota]]),
    (form.checkpoints ?? checkpoints)
      ? "Every turn is captured."
      : "Turns are not captured.",
  ].join(" ");

const quotaWords = {
  wait: "Waits for you when its quota is used up.",
  continue: "Goes on by itself when its quota is filled again.",
} as const;
