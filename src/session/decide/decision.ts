import type { Event } from "../../contract/event/event.ts";
import type { ProblemCode } from "../../contract/problem/problem.ts";
import type { ResumeReason } from "../../contract/agent/resume.ts";
import type { State } from "../state/state.ts";
import type { StateName } from "../../contract/session/state.ts";

/** What comes of a command: events, perhaps none, or a refusal. Both are values. */
export type Decision =
  | { kind: "events"; events: readonly Event[]; after: State }
  | Refusal
  /** The agent's words do not start where the journal ends: read again from `expected`. */
  | { kind: "output_gap"; expected: number };

export interface Refusal {
  kind: "refused";
  code: ProblemCode;
  detail: string;
  state: StateName;
  /** The same in the words of the session's status. */
  reason?: ResumeReason;
}
