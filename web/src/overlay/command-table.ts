/** Every command of the page, and its key. Help, palette and keys come from this table. */
import type { IconName } from "../kit/icon-paths.ts";

/** Where a command belongs: what is done with the page, in a list, or with the open session. */
export type CommandSection = "page" | "list" | "session";

export interface CommandEntry {
  label: string;
  section: CommandSection;
  icon: IconName;
  /** Says more than the label, where that is not enough. */
  detail?: string;
  /** `C`; `G H`: one after the other; `Mod+K`: with ⌘ on a Mac, with Ctrl elsewhere. */
  keys?: string;
  /** It may be held down. */
  repeats?: true;
  /** It moves within a place, so it is a key only and not in the palette. */
  onlyKey?: true;
}

export const commandTable = {
  palette: {
    label: "Search and commands",
    section: "page",
    icon: "search",
    keys: "Mod+K",
    onlyKey: true,
  },
  new_session: {
    label: "New session",
    section: "page",
    icon: "plus",
    keys: "C",
  },
  search: {
    label: "Search",
    section: "page",
    icon: "search",
    keys: "/",
    onlyKey: true,
  },
  home: { label: "Home", section: "page", icon: "inbox", keys: "G H" },
  tasks: { label: "Tasks", section: "page", icon: "tasks" },
  agents: { label: "Agents", section: "page", icon: "agent" },
  settings: { label: "Settings", section: "page", icon: "settings" },
  trash: { label: "Trash", section: "page", icon: "trash" },
  help: { label: "All keys", section: "page", icon: "question", keys: "?" },
  next_row: {
    label: "Next row",
    section: "list",
    icon: "down",
    keys: "J",
    repeats: true,
    onlyKey: true,
  },
  previous_row: {
    label: "Previous row",
    section: "list",
    icon: "down",
    keys: "K",
    repeats: true,
    onlyKey: true,
  },
  prompt: {
    label: "Write a prompt",
    section: "session",
    icon: "edit",
    keys: "I",
  },
  permission: {
    label: "Go to the question",
    section: "session",
    icon: "question",
    keys: "P",
  },
  previous_turn: {
    label: "Previous turn",
    section: "session",
    icon: "left",
    keys: "[",
    repeats: true,
    onlyKey: true,
  },
  next_turn: {
    label: "Next turn",
    section: "session",
    icon: "right",
    keys: "]",
    repeats: true,
    onlyKey: true,
  },
  latest: {
    label: "Latest",
    section: "session",
    icon: "latest",
    keys: "End",
    onlyKey: true,
  },
  diff: {
    label: "Review changes",
    section: "session",
    icon: "diff",
    detail: "of the turn in view",
    keys: "D",
  },
  rewind: {
    label: "Rewind",
    section: "session",
    icon: "rewind",
    detail: "to the turn in view",
    keys: "W",
  },
  fork: {
    label: "Fork",
    section: "session",
    icon: "fork",
    detail: "from the turn in view",
    keys: "F",
  },
  fold_line: {
    label: "Fold the line",
    section: "session",
    icon: "panel",
    keys: "L",
  },
  conversation: {
    label: "Conversation",
    section: "session",
    icon: "list",
  },
  changes: { label: "All changes", section: "session", icon: "diff" },
  workspace: { label: "Workspace", section: "session", icon: "folder" },
  pause: {
    label: "Pause",
    section: "session",
    icon: "pause",
    detail: "nothing runs, everything is kept",
  },
  resume: { label: "Resume session", section: "session", icon: "play" },
  recover: {
    label: "Recover",
    section: "session",
    icon: "plug",
    detail: "compare it with the world and repair it",
  },
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandId = keyof typeof commandTable;

export const isCommandId = (id: string): id is CommandId =>
  Object.hasOwn(commandTable, id);

export const commandIds: readonly CommandId[] =
  Object.keys(commandTable).filter(isCommandId);

export const entryOf = (id: CommandId): CommandEntry => commandTable[id];

/** Keys that belong to what has the focus. The help names them too. */
export const elementKeys: readonly {
  label: string;
  section: CommandSection;
  keys: string;
}[] = [
  { label: "Open what has the focus", section: "list", keys: "Enter" },
  { label: "Answer the question", section: "session", keys: "1–4" },
];
