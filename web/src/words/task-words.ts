/** The state of a task in a word, and the shape that stands for it. */
import type { Attempt, Task } from "../../../src/contract/task/task.ts";
import type { GlyphState } from "../kit/glyph.tsx";

export interface TaskWord {
  glyph: GlyphState;
  word: string;
}

export const taskWord = (
  task: Pick<Task, "state" | "needs_permission" | "retry_at" | "deleted_at">,
): TaskWord => {
  if (task.deleted_at !== undefined)
    return { glyph: "ended", word: "In the trash" };
  if (task.needs_permission) return { glyph: "needs_you", word: "Asks you" };
  switch (task.state) {
    case "TODO":
      return { glyph: "resting", word: "To do" };
    case "IN_PROGRESS":
      return task.retry_at === undefined
        ? { glyph: "working", word: "Working" }
        : { glyph: "starting", word: "Tries again" };
    case "REVIEW":
      return { glyph: "finished", word: "Review" };
    case "FAILED":
      return { glyph: "failed", word: "Failed" };
    case "DONE":
      return { glyph: "ended", word: "Done" };
    case "CANCELLED":
      return { glyph: "ended", word: "Cancelled" };
  }
};

export const chipTone = ({
  state,
  needs_permission,
}: Pick<Task, "state" | "needs_permission">): "amber" | "red" | "neutral" => {
  if (needs_permission) return "amber";
  return state === "FAILED" ? "red" : "neutral";
};

/** `interrupted` is told as `Cut off`, as it is of turns. */
export const outcomeWord = ({
  state,
  outcome,
}: Pick<Attempt, "state" | "outcome">): string => {
  switch (outcome) {
    case "succeeded":
      return "Succeeded";
    case "failed":
      return "Failed";
    case "timed_out":
      return "Timed out";
    case "interrupted":
      return "Cut off";
    case "cancelled":
      return "Cancelled";
    case undefined:
      return state === "starting" ? "Starting" : "Working";
  }
};

const modes: Readonly<Record<Attempt["mode"], string>> = {
  first: "First attempt",
  continue: "Went on",
  fresh: "Started over",
  update: "With more context",
};

export const modeWord = ({ mode }: Pick<Attempt, "mode">): string =>
  modes[mode];
