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
