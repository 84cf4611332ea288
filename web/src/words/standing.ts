/**
 * Where a session stands: the one row that the band above the prompt box shows. The first row that fits is shown:
 *
 *   away → trash → ended → disk full → trouble → starting → not resumable → error → quota → uncertain, interrupted →
 *   budget → agentctl does not answer → blocked → paused → needs resume → ready
 */
import type { Permission } from "../../../src/contract/agent/permission.ts";
import type {
  Session,
  SessionStatus,
} from "../../../src/contract/session/session.ts";
import * as decisions from "./standing-decisions.ts";
import type {
  Standing,
  StandingAction,
  StandingButton,
  StandingFacts,
  StandingKind,
} from "./standing-row.ts";
import * as rows from "./standing-rows.ts";

export type {
  Standing,
  StandingAction,
  StandingButton,
  StandingFacts,
  StandingKind,
};

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
  return decisions.quota(facts) ?? undecided(facts) ?? resting(facts);
};

/** The turn that was cut off last and waits for somebody's word. */
const undecided = (facts: StandingFacts): Standing | null => {
  const prompt = facts.session.unresolved_prompts.findLast(
    ({ goes_on = null }) => goes_on === null,
  );
  if (prompt === undefined) return null;
  return prompt.state === "uncertain"
    ? decisions.uncertain(prompt, facts)
    : decisions.interrupted(prompt, facts);
};

const resting = (facts: StandingFacts): Standing => {
  const { session, status } = facts;
  if ((session.budget?.reached ?? null) !== null && hasQueue(session))
    return decisions.budget(facts);
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
