/** What happened between two turns: a title, and how the agent came back. */
import type { Mark } from "../line/mark.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { counted } from "../words/counts.ts";
import { endingWords, gradeWords, type GradeWords } from "../words/grade.ts";

export interface BreakWords {
  /** A death has strokes, everything else goes on. */
  look: "broken" | "quiet";
  title: string;
  grade: GradeWords | null;
}

/** Null where nothing is to be said: a turn has its own rows. */
export const breakWords = (mark: Mark): BreakWords | null => {
  switch (mark.kind) {
    case "start":
    case "turn":
      return null;
    case "break":
      return {
        look: "broken",
        title: `${endingWords(mark.ending)}${mark.turn === null ? "" : ` in turn ${mark.turn}`}`,
        grade: mark.resume === null ? null : gradeWords(mark.resume),
      };
    case "rest":
      return {
        look: "quiet",
        title: "Paused",
        grade: mark.resume === null ? null : gradeWords(mark.resume),
      };
    case "tick":
      return {
        look: "quiet",
        title: "Server restarted",
        grade: gradeWords(mark.resume),
      };
    case "rewound":
      return {
        look: "quiet",
        title: `Rewound to turn ${mark.to} (${counted(mark.files, "file")})`,
        grade: null,
      };
    case "handed_off":
      return {
        look: "quiet",
        title: `Handed off to ${mark.to}`,
        grade: null,
      };
    case "ended":
      return { look: "quiet", title: "Ended", grade: null };
    default:
      return unreachable(mark);
  }
};
