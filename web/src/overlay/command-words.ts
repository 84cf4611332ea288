/** What commands are called. Loaded with the palette and the help. */
import type { IconName } from "../kit/icon-paths.ts";
import { type CommandId, keysOf } from "./command-table.ts";

/** Where a command belongs: what is done with the page, in a list, or with the open session. */
export type CommandSection = "page" | "list" | "session";

interface CommandWords {
  label: string;
  section: CommandSection;
  icon: IconName;
  /** Says more than the label, where that is not enough. */
  detail?: string;
  /** It moves within a place, so it is a key only and not in the palette. */
  onlyKey?: true;
}

const commandWords: Readonly<Record<CommandId, CommandWords>> = {
  palette: {
    label: "Search and commands",
    section: "page",
    icon: "search",
    onlyKey: true,
  },
  new_session: { label: "New session", section: "page", icon: "plus" },
  search: { label: "Search", section: "page", icon: "search", onlyKey: true },
  home: { label: "Home", section: "page", icon: "inbox" },
  tasks: { label: "Tasks", section: "page", icon: "tasks" },
  agents: { label: "Agents", section: "page", icon: "agent" },
  settings: { label: "Settings", section: "page", icon: "settings" },
  trash: { label: "Trash", section: "page", icon: "trash" },
  help: { label: "All keys", section: "page", icon: "question" },
  next_row: { label: "Next row", section: "list", icon: "down", onlyKey: true },
  previous_row: {
    label: "Previous row",
    section: "list",
    icon: "down",
    onlyKey: true,
  },
  prompt: { label: "Write a prompt", section: "session", icon: "edit" },
  permission: {
    label: "Go to the question",
    section: "session",
    icon: "question",
  },
  previous_turn: {
    label: "Previous turn",
    section: "session",
    icon: "left",
    onlyKey: true,
  },
  next_turn: {
    label: "Next turn",
    section: "session",
    icon: "right",
    onlyKey: true,
  },
  latest: {
    label: "Latest",
    section: "session",
    icon: "latest",
    onlyKey: true,
  },
  diff: {
    label: "Review changes",
    section: "session",
    icon: "diff",
    detail: "of the turn in view",
  },
  rewind: {
    label: "Rewind",
    section: "session",
    icon: "rewind",
    detail: "to the turn in view",
  },
  fork: {
    label: "Fork",
    section: "session",
    icon: "fork",
    detail: "from the turn in view",
  },
  fold_line: { label: "Fold the line", section: "session", icon: "panel" },
  conversation: { label: "Conversation", section: "session", icon: "list" },
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
};

export const entryOf = (id: CommandId) => ({
  ...commandWords[id],
  ...keysOf(id),
});

/** Keys that belong to what has the focus. The help names them too. */
export const elementKeys: readonly {
  label: string;
  section: CommandSection;
  keys: string;
}[] = [
  { label: "Open what has the focus", section: "list", keys: "Enter" },
  { label: "Answer the question", section: "session", keys: "1–4" },
];
