/** What a permission request would allow: what somebody must see before they answer. All of it is only text. */
import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import { oneLine, sanitize } from "../terminal/sanitize.ts";
import { count } from "../terminal/age.ts";
import { fields } from "../terminal/table.ts";
import { cut } from "../terminal/width.ts";

const MAX_COMMAND_LINES = 40;
const MAX_DIFF_LINES = 60;
const MAX_PATHS = 10;
const MAX_COLUMNS = 200;

/** The title, and beneath it what the title does not say. */
export const permissionText = (
  permission: Permission,
  dim: (text: string) => string,
): string => {
  const { tool } = permission;
  const title = oneLine(permission.title);
  const details = tool === undefined ? "" : fields(detailsOf(tool, title), dim);
  return `${title}\n${details}`.trimEnd();
};

type Field = readonly [name: string, value: string];

const detailsOf = (tool: AskedTool, title: string): Field[] => [
  ...field("tool", nameOf(tool, title)),
  // Whole, however wide: what is allowed must not hide behind the edge of a line.
  ...field(
    "runs",
    tool.command === null || sameText(tool.command, title)
      ? ""
      : shown(tool, "command", lines(tool.command), MAX_COMMAND_LINES),
  ),
  ...field(
    "files",
    tool.diff === null || tool.paths.length > 1
      ? shown(tool, "paths", tool.paths.map(oneLine), MAX_PATHS)
      : "",
  ),
  ...field(
    "changes",
    tool.diff === null
      ? ""
      : shown(
          tool,
          "diff",
          lines(tool.diff).map((line) => cut(line, MAX_COLUMNS)),
          MAX_DIFF_LINES,
        ),
  ),
  ...field(
    "given",
    tool.input === null
      ? ""
      : shown(tool, "input", lines(tool.input), MAX_COMMAND_LINES),
  ),
];

const field = (name: string, value: string): Field[] =>
  value === "" ? [] : [[name, value]];

/** Where the call itself has another title than the request. */
const nameOf = ({ title }: AskedTool, asked: string): string =>
  title === null || sameText(title, asked) ? "" : oneLine(title);

const sameText = (text: string, title: string): boolean =>
  oneLine(text) === title;

const lines = (text: string): string[] => sanitize(text).trimEnd().split("\n");

/** As many lines as a screen takes, and that there are more. */
const shown = (
  { shortened = [] }: AskedTool,
  name: NonNullable<AskedTool["shortened"]>[number],
  all: readonly string[],
  max: number,
): string => {
  const more = all.length - max;
  // Several lines are marked, so that none of them passes for one of ours.
  const mark = all.length > 1 ? "│ " : "";
  return [
    ...all.slice(0, max).map((line) => mark + line),
    ...(more > 0 ? [`… ${count(more, "more line")}`] : []),
    ...(shortened.includes(name)
      ? ["… it goes on; the conversation (`session messages --json`) has all"]
      : []),
  ].join("\n");
};
