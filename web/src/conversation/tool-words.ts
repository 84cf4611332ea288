/** What a tool call is called: `Ran npm test`, and several that are finished: `Read 4 files, searched twice`. */
import { callInput } from "../../../src/contract/agent/call-input.ts";
import type { Tool } from "../../../src/contract/agent/tool.ts";
import type { IconName } from "../kit/icon-paths.ts";
import { relativeTo } from "../words/relative-path.ts";
import { counted } from "../words/counts.ts";
import { legibleName } from "../words/legible.ts";

export type ToolStanding = "running" | "done" | "failed" | "cut";

/** `isOver`: its turn has ended, so that nothing of it runs any more. */
export const standingOf = (
  { status }: Pick<Tool, "status">,
  isOver = false,
): ToolStanding => {
  switch (status) {
    case "completed":
      return "done";
    case "failed":
      return "failed";
    case "interrupted":
      return "cut";
    case "pending":
    case "in_progress":
      return isOver ? "cut" : "running";
    case undefined:
      return isOver ? "done" : "running";
  }
};

export interface ToolName {
  icon: IconName;
  verb: string;
  /** A path, a command or an address; null where the verb says all. */
  object: string | null;
}

/** Commands may be long: so much of them is told in a line. */
const MAX_TITLE = 2_000;

/** Kinds of ACP; what is none of them is called by its title. */
const kinds: Readonly<
  Record<string, { icon: IconName; doing: string; did: string }>
> = {
  read: { icon: "eye", doing: "Reading", did: "Read" },
  edit: { icon: "edit", doing: "Editing", did: "Edited" },
  delete: { icon: "trash", doing: "Deleting", did: "Deleted" },
  move: { icon: "file", doing: "Moving", did: "Moved" },
  search: { icon: "search", doing: "Searching", did: "Searched" },
  execute: { icon: "terminal", doing: "Running", did: "Ran" },
  fetch: { icon: "link", doing: "Fetching", did: "Fetched" },
};

export const toolName = (
  tool: Tool,
  {
    directories,
    isRunning,
  }: { directories: readonly string[]; isRunning: boolean },
): ToolName => {
  const kind = kinds[tool.kind ?? ""];
  const title = tool.title ?? tool.id;
  if (kind === undefined)
    return {
      icon: tool.kind === "think" ? "thought" : "settings",
      verb: legibleName(relativeTo(title, directories), MAX_TITLE),
      object: null,
    };
  const { command, paths, others } = callInput(tool.input);
  const path = tool.locations?.[0]?.path ?? tool.diffs?.[0]?.path ?? paths[0];
  const object =
    tool.kind === "execute"
      ? command
      : tool.kind === "search" || tool.kind === "fetch"
        ? (others[0] ?? path)
        : path;
  return {
    icon: kind.icon,
    verb: isRunning ? kind.doing : kind.did,
    object: legibleName(relativeTo(object ?? title, directories), MAX_TITLE),
  };
};

/** `Read 4 files, searched twice, ran 3 commands` */
export const runWords = (tools: readonly Tool[]): string => {
  const counts = new Map<string, number>();
  for (const { kind = "" } of tools) {
    const name = kind in phrases ? kind : "other";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const words = [...counts]
    .map(([kind, count]) => phrases[kind]?.(count) ?? "")
    .join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const times = (count: number): string =>
  count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;

const phrases: Readonly<Record<string, (count: number) => string>> = {
  read: (count) => `read ${counted(count, "file")}`,
  edit: (count) => `edited ${counted(count, "file")}`,
  delete: (count) => `deleted ${counted(count, "file")}`,
  move: (count) => `moved ${counted(count, "file")}`,
  search: (count) => `searched ${times(count)}`,
  execute: (count) => `ran ${counted(count, "command")}`,
  fetch: (count) => `fetched ${counted(count, "page")}`,
  think: (count) => `thought ${times(count)}`,
  other: (count) => `called ${counted(count, "tool")}`,
};

/** The last lines of what a command says, for a box of fixed height. */
export const lastLines = (output: string, count: number): string => {
  let from = output.length;
  if (output.endsWith("\n")) from -= 1;
  for (let lines = 0; lines < count && from > 0; lines += 1)
    from = output.lastIndexOf("\n", from - 1);
  // A line may be a megabyte long.
  return output.slice(Math.max(from + 1, output.length - 4_000));
};
