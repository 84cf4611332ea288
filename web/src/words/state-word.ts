/** A session's state in a word, and the shape that stands for it. */
import { needsYou } from "../../../src/contract/session/needs-you.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { GlyphState } from "../kit/glyph.tsx";

export interface StateWord {
  glyph: GlyphState;
  word: string;
}

/** `isUnseen`: nobody has looked at it since its last turn ended. */
export const stateWord = (session: Session, isUnseen = false): StateWord => {
  if (session.deleted_at !== null) return say("ended", "In the trash");
  if (session.status === "ended") return say("ended", endWord(session));
  if (session.pending_permissions.length > 0)
    return say("needs_you", "Needs you");
  if (session.state === "ERROR") return say("failed", "Error");
  if (needsYou(session)) return undecided(session);
  switch (session.state) {
    case "CREATED":
    case "STARTING":
      return say("starting", "Starting");
    case "RUNNING":
      return say("working", "Working");
    case "PAUSED":
      return isUnseen ? say("finished", "Finished") : say("paused", "Paused");
    default:
      return isUnseen ? say("finished", "Finished") : say("resting", "Resting");
  }
};

const undecided = ({ unresolved_prompts }: Session): StateWord => {
  const last = unresolved_prompts.at(-1);
  if (last?.state === "interrupted") return say("interrupted", "Cut off");
  return say("needs_you", last === undefined ? "Needs you" : "Uncertain");
};

const endWord = ({ state }: Session): string => {
  if (state === "CANCELLED") return "Cancelled";
  return state === "FAILED" ? "Failed" : "Completed";
};

const say = (glyph: GlyphState, word: string): StateWord => ({ glyph, word });
