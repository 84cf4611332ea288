import type { EventDataOf } from "../../contract/event.ts";
import type { ToolStatus } from "../../contract/tool.ts";
import { oneLine } from "../sanitize.ts";
import { marked } from "../text/marked.ts";
import type { Palette } from "../text/palette.ts";

export const turnEnd = (
  {
    turn,
    outcome,
    stop_reason,
    error,
    usage,
  }: EventDataOf<"session.turn.ended">,
  palette: Palette,
): string => {
  const tokens = usage === null ? "" : `, ${usage.total_tokens} tokens`;
  const line = `── turn ${turn} ${outcome} (${oneLine(stop_reason)}${tokens})`;
  if (outcome === "completed") return palette.dim(line);
  return palette.red(
    error === null ? line : `${line}\n${marked("   ", error)}`,
  );
};

/** Only what is over is worth a word: that a call runs is what its line says. */
export const statusWords = (status: ToolStatus | undefined): string | null => {
  if (status === "completed" || status === "failed") return status;
  return status === "interrupted" ? "interrupted, outcome unknown" : null;
};

export const planText = (
  entries: EventDataOf<"session.plan.updated">["entries"],
): string =>
  entries
    .map(({ text, status }) => `  ${planMark(status)} ${oneLine(text)}`)
    .join("\n");

const planMark = (status: string): string => {
  if (status === "completed") return "✓";
  return status === "in_progress" ? "▸" : "·";
};

export const indented = (text: string): string =>
  text.replaceAll(/^(?=.)/gm, "    ");
