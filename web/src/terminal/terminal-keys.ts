/** Which keys are not for the shell. */
export type KeyAction = "copy" | "search" | "leave" | "browser" | "shell";

interface Key {
  type: string;
  key: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** Tab belongs to the shell, so another key leaves the terminal. */
export const keyAction = (event: Key): KeyAction => {
  if (event.type !== "keydown" || event.altKey) return "shell";
  const key = event.key.toLowerCase();
  const isOnly = (...held: readonly string[]): boolean =>
    event.ctrlKey === held.includes("ctrl") &&
    event.shiftKey === held.includes("shift") &&
    event.metaKey === held.includes("meta");
  if (key === "f6" && isOnly("shift")) return "leave";
  if (key === "insert" && isOnly("ctrl")) return "copy";
  // The browser pastes into the terminal by itself.
  if (key === "insert" && isOnly("shift")) return "browser";
  if (!isOnly("ctrl", "shift") && !isOnly("meta")) return "shell";
  switch (key) {
    case "c":
      return "copy";
    case "v":
      return "browser";
    case "f":
      return "search";
    default:
      return "shell";
  }
};
