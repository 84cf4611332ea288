/** How a prompt stands, by what the session, the prompt and the journal say. Pure. */
import { type SessionBudget, usedUpWords } from "../contract/base/budget.ts";
import type { Permission } from "../contract/agent/permission.ts";
import type { ProblemCode } from "../contract/problem/problem.ts";
import type { Prompt } from "../contract/session/prompt.ts";
import type { Session } from "../contract/session/session.ts";
import { isTerminal } from "../contract/session/state.ts";
import { cutTurnIn } from "./goes-on.ts";
import type { TurnRecord } from "./turn-record.ts";

export type TurnStatus =
  | "completed"
  | "working"
  | "needs_permission"
  | "interrupted"
  | "cancelled"
  | "failed";

export interface Standing {
  status: TurnStatus;
  pending_permissions: Permission[];
  error: { code: ProblemCode | null; message: string } | null;
}

export const standingOf = (
  session: Session,
  prompt: Prompt,
  record: TurnRecord | null,
): Standing => {
  switch (prompt.state) {
    case "queued":
      return whileQueued(session);
    case "delivered":
    case "running":
      return whileRunning(session, prompt);
    case "done":
      return whenDone(record);
    case "interrupted":
      return cutTurnIn(session, prompt.id) === "goes_on"
        ? plain("working")
        : withError("interrupted", reasonOf(record));
    case "uncertain":
      return withError(
        "interrupted",
        `Nobody knows whether the agent took the prompt: ${reasonOf(record)} Decide whether it is continued, sent again or dropped.`,
      );
    case "cancelled":
      return plain("cancelled");
  }
};

/** A session at rest does not take up its prompts by itself. */
const whileQueued = (session: Session): Standing => {
  if (session.state === "ERROR")
    return withError(
      "failed",
      session.error_message ?? "The agent could not be started.",
      session.error_code,
    );
  if (isTerminal(session.state)) return plain("cancelled");
  if (session.budget !== null && session.budget.reached !== null)
    return withError(
      "interrupted",
      `The budget of the session is used up${spentWords(session.budget)}, and the prompt waits. Raise the budget, and the agent gets it.`,
      "budget_reached",
    );
  if (session.state === "PAUSED")
    return withError(
      "interrupted",
      "The session is paused and the prompt waits. Resume the session, and the agent gets it.",
    );
  return plain("working");
};

const spentWords = ({
  limits,
  spent,
  reached: what,
}: SessionBudget): string => {
  const limit = what === null ? undefined : limits[what];
  return what === null || limit === undefined
    ? ""
    : `: ${usedUpWords({ what, limit, spent: spent[what] ?? 0 })}`;
};

const whileRunning = (session: Session, { turn }: Prompt): Standing => {
  const pending = session.pending_permissions.filter(
    (each) => each.turn === turn,
  );
  return pending.length === 0
    ? plain("working")
    : { ...plain("needs_permission"), pending_permissions: pending };
};

const whenDone = (record: TurnRecord | null): Standing => {
  const end = record?.end;
  if (end?.kind !== "ended") return plain("completed");
  switch (end.outcome) {
    case "completed":
    case "cancelled":
      return end.stop_reason === "budget"
        ? withError(
            end.outcome,
            "The budget of the session was used up in this turn. What the agent did so far is kept. Raise the budget, then send a prompt to go on.",
            "budget_reached",
          )
        : plain(end.outcome);
    case "refused":
    case "failed":
      return withError(
        "failed",
        end.error ?? `The agent ended the turn with "${end.stop_reason}".`,
      );
  }
};

const reasonOf = (record: TurnRecord | null): string => {
  const end = record?.end ?? null;
  return end === null || end.kind === "ended"
    ? "The turn was interrupted."
    : end.reason;
};

const plain = (status: TurnStatus): Standing => ({
  status,
  pending_permissions: [],
  error: null,
});

const withError = (
  status: TurnStatus,
  message: string,
  code: ProblemCode | null = null,
): Standing => ({ ...plain(status), error: { code, message } });
