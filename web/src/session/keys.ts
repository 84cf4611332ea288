/** What keys do on the screen of a session. Never in a text field, and never with Ctrl, Alt or ⌘. */
export type SessionCommand =
  | "prompt"
  | "permission"
  | "previous_turn"
  | "next_turn"
  | "diff"
  | "rewind"
  | "fork"
  | "fold_line"
  | "latest";

export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether it was pressed where people write. */
  inField: boolean;
}

export const commandOf = (pressed: Pressed): SessionCommand | null => {
  if (pressed.inField || pressed.ctrlKey || pressed.metaKey || pressed.altKey)
    return null;
  return commands[pressed.key.toLowerCase()] ?? null;
};

const commands: Readonly<Record<string, SessionCommand>> = {
  i: "prompt",
  p: "permission",
  "[": "previous_turn",
  "]": "next_turn",
  d: "diff",
  w: "rewind",
  f: "fork",
  l: "fold_line",
  end: "latest",
};

/** The turn that `[` and `]` go to: the one before or behind the one at the top of the screen. */
export const neighbourTurn = (
  turns: readonly number[],
  inView: { from: number; to: number } | null,
  step: -1 | 1,
): number | null => {
  if (inView === null) return null;
  return (
    (step === -1
      ? turns.findLast((turn) => turn < inView.from)
      : turns.find((turn) => turn > inView.from)) ?? null
  );
};
