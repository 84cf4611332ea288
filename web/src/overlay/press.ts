/** Which command a key asks for. */
import { type CommandId, commandIds, keysOf } from "./command-table.ts";

export interface Pressed {
  key: string;
  /** ⌘ on a Mac, Ctrl elsewhere. */
  hasMod: boolean;
  /** Any of Ctrl, Alt and ⌘. */
  hasModifier: boolean;
  /** The key is held down. */
  isRepeat: boolean;
  /** `field`: where people write. `closed`: a dialog, a menu or a terminal, which have keys of their own. */
  where: "page" | "field" | "closed";
}

/** The first of two keys, and when it was pressed (ms). */
export interface Begun {
  key: string;
  at: number;
}

export type Press =
  | { kind: "command"; id: CommandId }
  | { kind: "begun"; begun: Begun }
  | { kind: "nothing" };

/** So long the second of two keys is waited for. */
const SECOND_KEY_MS = 1_500;

/** `isThere`: whether the command can be done in this place. */
export const press = (
  pressed: Pressed,
  begun: Begun | null,
  isThere: (id: CommandId) => boolean,
  now: number,
): Press => {
  const key = pressed.key.toUpperCase();
  if (pressed.where === "closed") return { kind: "nothing" };
  if (pressed.hasModifier)
    return pressed.hasMod && !pressed.isRepeat
      ? commandFor(`Mod+${key}`, isThere, pressed)
      : { kind: "nothing" };
  if (pressed.where === "field") return { kind: "nothing" };
  const first =
    begun !== null && now - begun.at <= SECOND_KEY_MS ? begun.key : null;
  if (first !== null) {
    const both = commandFor(`${first} ${key}`, isThere, pressed);
    if (both.kind === "command") return both;
  }
  const isFirst = commandIds.some((id) =>
    keysOf(id).keys?.toUpperCase().startsWith(`${key} `),
  );
  return isFirst
    ? { kind: "begun", begun: { key, at: now } }
    : commandFor(key, isThere, pressed);
};

const commandFor = (
  keys: string,
  isThere: (id: CommandId) => boolean,
  { isRepeat }: Pressed,
): Press => {
  const id = commandIds.find(
    (id) => keysOf(id).keys?.toUpperCase() === keys.toUpperCase(),
  );
  if (id === undefined || !isThere(id)) return { kind: "nothing" };
  if (isRepeat && keysOf(id).repeats !== true) return { kind: "nothing" };
  return { kind: "command", id };
};

/** The keys as they stand on the keyboard: `⌘ K`, `Ctrl K`, `G H`. */
export const keyCaps = (keys: string, isMac: boolean): string[] =>
  keys
    .split(/[ +]/)
    .map((key) => (key === "Mod" ? (isMac ? "⌘" : "Ctrl") : key));
