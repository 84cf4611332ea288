import type { RewindPlan } from "../../contract/session/checkpoint.ts";
import type { Mark } from "../../contract/session/line.ts";
import type { Line } from "../state/line.ts";
import { rewound } from "./history.ts";
import { nothingUpTo } from "./knowledge.ts";
import { marksOf } from "./marks.ts";

/** What is known of a rewind before it is made. */
export interface PlannedRewind extends Pick<
  RewindPlan,
  "turn" | "conversation"
> {
  /** How many files it changes. */
  files: number;
  /** When it is looked at. */
  at: string;
}

/** The marks as a rewind would leave them: the same fold, with an event that has not happened. */
export const marksAfter = (
  line: Line,
  { turn, conversation, files, at }: PlannedRewind,
): Mark[] => {
  const after = rewound(
    line,
    {
      turn,
      from_turn: line.last,
      memory: conversation === "native" ? "its own" : null,
      changes: files,
    },
    at,
  );
  // No event of the rewind says that the agent takes no history: its next resume does.
  return marksOf(
    conversation === "fresh" ? { ...after, knows: nothingUpTo(turn) } : after,
  );
};
