/** How a prompt stands, by what the session, the prompt and the journal say. Pure. */
import type { Permission } from "../contract/agent/permission.ts";
import type { ProblemCode } from "../contract/problem/problem.ts";
import type { Prompt } from "../contract/session/prompt.ts";
import type { Session } from "../contract/session/session.ts";
import { isTerminal } from "../contract/session/state.ts";
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
      return goesOnByItself(session, record)
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
  if (session.state === "PAUSED")
    return withError(
      "interrupted",
      "The session is paused and the prompt waits. Resume the session, and the agent gets it.",
    );
  return plain(isTerminal(session.state) ? "cancelled" : "working");
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
      return plain(end.outcome);
    case "refused":
    case "failed":
      return withError(
        "failed",
        end.error ?? `The agent ended the turn with "${end.stop_reason}".`,
      );
  }
};

/** `on_interrupt: continue` holds for the newest turn, unless a quota or too many interruptions stopped it. */
const goesOnByItself = (
  { on_interrupt, state }: Session,
  record: TurnRecord | null,
): boolean =>
  on_interrupt === "continue" &&
  (state === "WAITING_FOR_INPUT" || state === "STARTING") &&
  record?.end?.kind === "interrupted" &&
  !record.end.byQuota &&
  record.isNewest &&
  !record.gaveUp;

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
