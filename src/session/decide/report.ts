/** What agentctl reports, turned into events: fenced by epoch (P4), free of gaps and repetitions by byte range (P2). */
import type { ReportItem } from "../../contract/link/report.ts";
import type { Command } from "../state/command.ts";
import type { Decision } from "./decision.ts";
import type { Draft } from "./draft.ts";
import { recordItem } from "./record-item.ts";

export const report = (
  draft: Draft,
  { epoch, items }: Extract<Command, { type: "execution.report" }>,
): Decision => {
  for (const item of items) {
    const { execution } = draft.state;
    if (execution === null || execution.epoch !== epoch) return draft.done();
    const position = positionOf(item, execution.offset);
    if (position === "known") continue;
    if (position === "gap")
      return { kind: "output_gap", expected: execution.offset };
    const origin = item.range === null ? null : { epoch, ...item.range };
    draft.from(origin, () => recordItem(draft, item));
  }
  return draft.done();
};

const positionOf = (
  item: ReportItem,
  offset: number,
): "next" | "known" | "gap" => {
  if (item.range === null) return "next";
  if (item.range.to <= offset) return "known";
  return item.range.from === offset ? "next" : "gap";
};
