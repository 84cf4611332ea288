/**
 * Where a session stands: the one row that the band above the prompt box shows. The first row that fits is shown:
 *
 *   away → trash → ended → disk full → trouble → starting → not resumable → error → quota → uncertain, interrupted →
 *   budget → agentctl does not answer → blocked → paused → needs resume → ready
 */
import type { Permission } from "../../../src/contract/agent/permission.ts";
import type { PromptId } from "../../../src/contract/base/id.ts";
import type { ProblemCode } from "../../../src/contract/problem/problem.ts";
import type {
  Session,
  SessionStatus,
} from "../../../src/contract/session/session.ts";
import type { Mark } from "../line/mark.ts";
import type { Connection } from "../store/connection.ts";
import * as rows from "./standing-rows.ts";

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

export const standing = (facts: StandingFacts): Standing => {
  const { session, status, connection, refusal } = facts;
  if (connection.kind === "away") return rows.away(connection, facts);
  if (session.deleted_at !== null) return rows.trash(session.deleted_at, facts);
  if (session.status === "ended") return rows.ended(facts);
  if (refusal === "storage_full") return rows.diskFull(facts);
  const trouble = status?.troubles.find(
    ({ code }) => code !== "agentctl_unavailable",
  );
  if (trouble !== undefined) return rows.trouble(trouble, facts);
  if (session.state === "STARTING" || session.state === "CREATED")
    return rows.starting(facts);
  if (isWithoutReturn(status)) return rows.notResumable(facts);
  if (session.state === "ERROR") return rows.error(facts);
  return rows.quota(facts) ?? undecided(facts) ?? resting(facts);
};

/** The turn that was cut off last and waits for somebody's word. */
const undecided = (facts: StandingFacts): Standing | null => {
  const prompt = facts.session.unresolved_prompts.findLast(
    ({ goes_on = null }) => goes_on === null,
  );
  if (prompt === undefined) return null;
  return prompt.state === "uncertain"
    ? rows.uncertain(prompt, facts)
    : rows.interrupted(prompt, facts);
};

const resting = (facts: StandingFacts): Standing => {
  const { session, status } = facts;
  if ((session.budget?.reached ?? null) !== null && hasQueue(session))
    return rows.budget(facts);
  const unanswered = status?.troubles[0];
  if (unanswered !== undefined) return rows.trouble(unanswered, facts);
  const blocked = rows.blocked(facts);
  if (blocked !== null) return blocked;
  if (session.state === "PAUSED") return rows.paused(facts);
  if (status !== null && status.needs_resume && status.is_resumable)
    return rows.needsResume(status, facts);
  return rows.ready(facts);
};

const hasQueue = ({ queued_prompts }: Session): boolean =>
  queued_prompts.length > 0;

/** The conversation cannot be brought back, whatever somebody does. While the agent runs there is no need to. */
const isWithoutReturn = (status: SessionStatus | null): boolean =>
  status !== null &&
  !status.is_agent_running &&
  !status.is_resumable &&
  (status.resume_reason === "not_resumable" ||
    status.resume_reason === "missing_resume_token" ||
    status.resume_reason === "agent_session_missing");

/** Whether somebody is asked something: the card of the question takes the band's place then. */
export const isAsked = (permissions: readonly Permission[]): boolean =>
  permissions.some(({ state }) => state === "pending");
