import { useEffect, useEffectEvent } from "react";
import { commandOf, type SessionCommand } from "./keys.ts";

/** Does what a key asks for, wherever the focus is, except where people write or in a dialog. */
export const useSessionKeys = (
  onCommand: (command: SessionCommand) => void,
): void => {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return;
    const command = commandOf({
      key: event.key,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      inField: isField(event.target),
    });
    if (command === null) return;
    event.preventDefault();
    onCommand(command);
  });
  useEffect(() => {
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    "input, textarea, select, [contenteditable], [role=dialog], [role=menu]",
  ) !== null;
