import type { Session } from "./session.ts";

/** Whether a session stands still until a person does something: its agent asks, or its budget is used up. */
export const needsYou = ({
  pending_permissions,
  budget,
}: Pick<Session, "pending_permissions" | "budget">): boolean =>
  pending_permissions.length > 0 || budget?.reached != null;
