/** What Enter does: it sends at a keyboard, it breaks the line on a phone, and it belongs to the input method while one is at work. */
export const enterDoes = ({
  shiftKey,
  isComposing,
  isTouch,
  hasCommand,
}: {
  shiftKey: boolean;
  isComposing: boolean;
  isTouch: boolean;
  /** Ctrl or ⌘: sends wherever one is. */
  hasCommand: boolean;
}): "send" | "break" => {
  if (isComposing) return "break";
  if (hasCommand) return "send";
  return shiftKey || isTouch ? "break" : "send";
};

/** What stays in the box when `sent` was taken: what was typed behind it meanwhile, or the text that has replaced it. */
export const unsent = (text: string, sent: string): string =>
  text.startsWith(sent) ? text.slice(sent.length) : text;
