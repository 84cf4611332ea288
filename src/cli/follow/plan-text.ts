import type { EventDataOf } from "../../contract/event/event.ts";
import { oneLine } from "../terminal/sanitize.ts";

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
