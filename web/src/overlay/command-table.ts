/** Every command of the page, and its key. Help, palette and keys come from this table; the words are in `command-words.ts`. */

interface CommandKeys {
  /** `C`; `G H`: one after the other; `Mod+K`: with ⌘ on a Mac, with Ctrl elsewhere. */
  keys?: string;
  /** It may be held down. */
  repeats?: true;
}

const commandTable = {
  palette: { keys: "Mod+K" },
  new_session: { keys: "C" },
  search: { keys: "/" },
  home: { keys: "G H" },
  tasks: {},
  agents: {},
  settings: {},
  trash: {},
  help: { keys: "?" },
  next_row: { keys: "J", repeats: true },
  previous_row: { keys: "K", repeats: true },
  prompt: { keys: "I" },
  permission: { keys: "P" },
  previous_turn: { keys: "[", repeats: true },
  next_turn: { keys: "]", repeats: true },
  latest: { keys: "End" },
  diff: { keys: "D" },
  rewind: { keys: "W" },
  fork: { keys: "F" },
  fold_line: { keys: "L" },
  conversation: {},
  changes: {},
  workspace: {},
  pause: {},
  resume: {},
  recover: {},
} as const satisfies Readonly<Record<string, CommandKeys>>;

export type CommandId = keyof typeof commandTable;

const isCommandId = (id: string): id is CommandId =>
  Object.hasOwn(commandTable, id);

export const commandIds: readonly CommandId[] =
  Object.keys(commandTable).filter(isCommandId);

export const keysOf = (id: CommandId): CommandKeys => commandTable[id];
