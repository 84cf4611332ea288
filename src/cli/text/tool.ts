import { callName } from "../../contract/agent/call-name.ts";
import type { Tool, ToolStatus } from "../../contract/agent/tool.ts";
import { oneLine, sanitize } from "../terminal/sanitize.ts";
import { count } from "../terminal/age.ts";
import { cut } from "../terminal/width.ts";

const MAX_LINES = 10;
const MAX_COLUMNS = 200;

/** Only what is over is worth a word: that a call runs is what its line says. */
export const statusWords = (status: ToolStatus | undefined): string | null => {
  if (status === "completed" || status === "failed") return status;
  return status === "interrupted" ? "interrupted, outcome unknown" : null;
};

/** What a call is called, on one line. */
export const shortName = (tool: Tool): string =>
  cut(oneLine(callName(tool)), MAX_COLUMNS);

/** The beginning of what a call gave, indented; nothing when it gave nothing. */
export const toolOutput = ({ output, output_omitted = 0 }: Tool): string => {
  const text = sanitize(output ?? "")
    .replace(/^\s*\n/, "")
    .trimEnd();
  if (text === "") return "";
  const lines = text.split("\n");
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => `    ${cut(line, MAX_COLUMNS)}`);
  const more = lines.length - MAX_LINES;
  return [
    ...shown,
    ...(more > 0 ? [`    … ${count(more, "more line")}`] : []),
    ...(output_omitted > 0
      ? [`    … ${count(output_omitted, "more character")}`]
      : []),
  ].join("\n");
};
