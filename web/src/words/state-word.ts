/** A session's state in a word, and the shape that stands for it. */
import { needsYou } from "../../../src/contract/session/needs-you.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { waitsForQuota } from "./quota-words.ts";
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
  if (session.state !== "STARTING" && waitsForQuota(session))
    return say("resting", "Waits for its quota");
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

const undecided = (session: Session): StateWord => {
  const last = session.unresolved_prompts.at(-1);
  if (last?.state === "uncertain") return say("needs_you", "Uncertain");
  return last === undefined || waitsForQuota(session)
    ? say("needs_you", "Needs you")
    : say("interrupted", "Cut off");
};

const endWord = ({ state }: Session): string => {
  if (state === "CANCELLED") return "Cancelled";
  return state === "FAILED" ? "Failed" : "Completed";
};

const say = (glyph: GlyphState, word: string): StateWord => ({ glyph, word });
