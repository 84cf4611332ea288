/** What is drawn on a session's line. Replaced by the contract's own type as soon as it is there. */
import type { Checkpoint } from "../../../src/contract/session/checkpoint.ts";
import type { Ending } from "../../../src/contract/session/ending.ts";
import type { Resume } from "../../../src/contract/agent/resume.ts";
import type { SessionId } from "../../../src/contract/base/id.ts";

export interface Changes {
  files: number;
  added: number;
  removed: number;
}

export type Mark =
  | { kind: "start"; files: number }
  | {
      kind: "turn";
      turn: number;
      prompt: string;
      outcome:
        | "completed"
        | "cancelled"
        | "refused"
        | "failed"
        | "running"
        | "asks"
        | "interrupted"
        | "uncertain";
      memory: "own" | "told" | "none";
      behind: boolean;
      changes: Changes | null;
      capture: Checkpoint["outcome"] | null;
      forks: SessionId[];
    }
  | {
      kind: "break";
      ending: Ending;
      turn: number | null;
      resume: Resume | null;
    }
  | { kind: "rest"; resume: Resume | null }
  | { kind: "tick"; resume: Resume }
  | { kind: "rewound"; to: number; files: number }
  | { kind: "handed_off"; to: string }
  | { kind: "ended" };
export type TurnMark = Extract<Mark, { kind: "turn" }>;
