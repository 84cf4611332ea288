import type { ReportItem } from "../contract/report.ts";

const MOST_TEXT = 4 * 1024;

/** Adds an item to those that wait; text that continues the text before it becomes part of it, up to a size. */
export const coalesce = (waiting: ReportItem[], item: ReportItem): void => {
  const last = waiting.at(-1);
  if (
    last?.kind === "text" &&
    item.kind === "text" &&
    last.role === item.role &&
    last.range.to === item.range.from &&
    last.text.length + item.text.length <= MOST_TEXT
  )
    waiting[waiting.length - 1] = {
      ...last,
      text: last.text + item.text,
      range: { from: last.range.from, to: item.range.to },
    };
  else waiting.push(item);
};
