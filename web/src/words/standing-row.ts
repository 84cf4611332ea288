/** What a row of `standing` is made of, and what it follows from. */
import type { PromptId } from "../../../src/contract/base/id.ts";
import type { ProblemCode } from "../../../src/contract/problem/problem.ts";
import type {
  Session,
  SessionStatus,
} from "../../../src/contract/session/session.ts";
import type { Mark } from "../line/mark.ts";
import type { Connection } from "../store/connection.ts";

/** What a button of a row does. */
export type StandingAction =
  | { kind: "resume" }
  /** What waits for a quota is tried at once. */
  | { kind: "resume_now" }
  | { kind: "start_without_memory" }
  | { kind: "open_workspace" }
  | {
      kind: "resolve";
      promptId: PromptId;
      action: "continue" | "resend" | "drop";
    }
  | { kind: "new_session" }
  | { kind: "try_connection" }
  | { kind: "cancel_turn" }
  | { kind: "recover" }
  | { kind: "show_disk_use" }
  | { kind: "fork"; turn: number }
  | { kind: "undelete" };

export interface StandingButton {
  label: string;
  does: StandingAction;
  /** The one that people will most likely want. */
  primary: boolean;
}

export type StandingKind =
  | "away"
  | "trash"
  | "ended"
  | "disk_full"
  | "trouble"
  | "starting"
  | "not_resumable"
  | "error"
  | "quota"
  | "uncertain"
  | "interrupted"
  | "budget"
  | "blocked"
  | "paused"
  | "needs_resume"
  | "ready";

export interface Standing {
  kind: StandingKind;
  tone: "plain" | "amber" | "red";
  /** In bold. Null where the row has no title. */
  title: string | null;
  /** Something that somebody wrote, shown as such. */
  quote: string | null;
  text: string | null;
  buttons: readonly StandingButton[];
  /** The prompt box: what stands in it while it is empty, and what its button is called. Null: nothing can be sent. */
  box: { text: string; send: "Send" | "Queue" | null };
  /** Whether files and terminals can be used. */
  hasPanels: boolean;
}

export interface StandingFacts {
  session: Session;
  /** Null until it was answered. */
  status: SessionStatus | null;
  connection: Connection;
  /** What the agent is called: `Claude Code`. */
  agentName: string;
  line: readonly Mark[];
  /** Why the last prompt was not taken, until another one is. */
  refusal: ProblemCode | null;
  /** Since when the agent is being started, where that is known. */
  startingSince: number | null;
  /** How many quiet minutes it was paused after; null where somebody paused it, or nobody knows. */
  quietMinutes: number | null;
  /** How long sessions stay in the trash, where that is known. */
  trashDays: number | null;
  now: number;
}
