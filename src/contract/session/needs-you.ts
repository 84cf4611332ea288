import type { Session } from "./session.ts";

/** What it follows from. Older releases did not tell all of it. */
export type Standing = Pick<
  Session,
  "state" | "status" | "pending_permissions" | "unresolved_prompts"
> &
  Partial<Pick<Session, "budget" | "queued_prompts">> & {
    quota?: Partial<Session["quota"]>;
  };

/** Whether a session stands still until a person does something (API-172). */
export const needsYou = (session: Standing): boolean => {
  const { state, status, pending_permissions, unresolved_prompts } = session;
  if (status === "ended") return false;
  if (pending_permissions.length > 0) return true;
  if (state === "ERROR") return (session.quota?.next_agent ?? null) === null;
  return (
    unresolved_prompts.some(({ goes_on = null }) => goes_on === null) ||
    waitsForBudget(session)
  );
};

const waitsForBudget = ({ budget, queued_prompts = [] }: Standing): boolean =>
  (budget?.reached ?? null) !== null && queued_prompts.length > 0;
