/** How the SDK says how a prompt stands. */
import { type SessionBudget, usedUpWords } from "../../contract/base/budget.ts";
import type { EventOf } from "../../contract/event/event.ts";
import type { ProblemCode } from "../../contract/problem/problem.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Cut } from "../prompt/prompt-phases.ts";
import type { PromptStatus } from "../prompt/prompt-status.ts";

export type TurnStatus =
  | "completed"
  | "working"
  | "needs_permission"
  | "interrupted"
  | "cancelled"
  | "failed";

export interface StatusWords {
  status: TurnStatus;
  error: { code: ProblemCode | null; message: string } | null;
  waits_until: string | null;
}

export const statusWords = (
  session: Session,
  status: PromptStatus,
): StatusWords => {
  switch (status.kind) {
    case "queued":
    case "running":
      return plain("working");
    case "goes_on":
      return { ...plain("working"), waits_until: status.at };
    case "waits":
      return { ...plain("working"), waits_until: status.until };
    case "needs_permission":
      return plain("needs_permission");
    case "ended":
      return ended(status.end);
    case "interrupted":
      return withError(
        "interrupted",
        `${status.cut?.reason ?? "The turn was interrupted."}${quotaWords(session, status.cut)}`,
      );
    case "uncertain":
      return withError(
        "interrupted",
        `Nobody knows whether the agent took the prompt: ${status.cut.reason} Decide whether it is continued, sent again or dropped.`,
      );
    case "withdrawn":
    case "session_ended":
      return plain("cancelled");
    case "start_failed":
      return withError(
        "failed",
        session.error_message ?? "The agent could not be started.",
        session.error_code,
      );
    case "budget_reached":
      return withError(
        "interrupted",
        `The budget of the session is used up${spentWords(session.budget)}, and the prompt waits. Raise the budget, and the agent gets it.`,
        "budget_reached",
      );
    case "paused":
      return withError(
        "interrupted",
        "The session is paused and the prompt waits. Resume the session, and the agent gets it.",
      );
    case "session_deleted":
      return withError(
        "interrupted",
        "The session is in the trash. Take it back to go on.",
      );
  }
};

/** A prompt that is sent before this time waits as well. */
const quotaWords = ({ quota, agent }: Session, cut: Cut | null): string => {
  const until = quota.used_up.find((each) => each.agent === agent)?.until;
  return cut?.limit === undefined || until === undefined
    ? ""
    : ` The quota of ${agent} is used up until ${until}.`;
};

const spentWords = (budget: SessionBudget | null): string => {
  if (budget === null) return "";
  const { limits, spent, reached: what } = budget;
  const limit = what === null ? undefined : limits[what];
  return what === null || limit === undefined
    ? ""
    : `: ${usedUpWords({ what, limit, spent: spent[what] ?? 0 })}`;
};

const ended = ({
  outcome,
  stop_reason,
  error,
}: EventOf<"session.turn.ended">["data"]): StatusWords => {
  switch (outcome) {
    case "completed":
    case "cancelled":
      return stop_reason === "budget"
        ? withError(
            outcome,
            "The budget of the session was used up in this turn. What the agent did so far is kept. Raise the budget, then send a prompt to go on.",
            "budget_reached",
          )
        : plain(outcome);
    case "refused":
    case "failed":
      return withError(
        "failed",
        error ?? `The agent ended the turn with "${stop_reason}".`,
      );
  }
};

const plain = (status: TurnStatus): StatusWords => ({
  status,
  error: null,
  waits_until: null,
});

const withError = (
  status: TurnStatus,
  message: string,
  code: ProblemCode | null = null,
): StatusWords => ({ status, error: { code, message }, waits_until: null });
