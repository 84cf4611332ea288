import type { KeyboardEvent } from "react";

type Pressed = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "ctrlKey" | "metaKey"
> & { nativeEvent: { isComposing: boolean } };

/**
 * Whether a key sends what is written. Enter sends at a keyboard, breaks the line on a phone, and belongs to the input method while
 * one is at work. With Ctrl or ⌘ it sends wherever one is.
 */
export const sends = (
  { key, shiftKey, ctrlKey, metaKey, nativeEvent }: Pressed,
  isTouch = matchMedia("(pointer: coarse)").matches,
): boolean => {
  if (key !== "Enter" || nativeEvent.isComposing) return false;
  return ctrlKey || metaKey || !(shiftKey || isTouch);
};

/** What stays in the box when `sent` was taken: what was typed behind it meanwhile, or the text that has replaced it. */
export const unsent = (text: string, sent: string): string =>
  text.startsWith(sent) ? text.slice(sent.length) : text;
