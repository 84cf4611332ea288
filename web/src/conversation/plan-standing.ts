import type { Plan } from "../store/open-session.ts";

/** How far a plan is: steps that are done, and the one in work or next. */
export const planStanding = (
  entries: Plan["entries"],
): { done: number; total: number; current: string } => ({
  done: entries.filter(({ status }) => status === "completed").length,
  total: entries.length,
  current:
    entries.find(({ status }) => status === "in_progress")?.text ??
    entries.find(({ status }) => status !== "completed")?.text ??
    "All done",
});
