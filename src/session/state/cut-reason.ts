import type { Ending } from "../../contract/session/ending.ts";
import type { InterruptionCode } from "../../contract/session/interruption.ts";

/** What is told of a prompt whose turn was cut off, to whoever decides about it. */
export interface CutReason {
  /** The beginning of the prompt. */
  text: string;
  why: {
    /** Null where an older release did not say. */
    code: InterruptionCode | null;
    reason: string;
    /** How the agent ended, where that cut the turn off. */
    ending: Ending | null;
  };
}
