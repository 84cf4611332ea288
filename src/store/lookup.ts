/** What sessions are looked up by. It follows from what lists show of them. */
import { needsYou } from "../contract/session/needs-you.ts";
import type { Session } from "../contract/session/session.ts";
import type { SessionFilter } from "../runtime/ports/store.ts";

export interface Lookup {
  agent: string;
  name: string | null;
  resume_token: string | null;
  parent: string | null;
  needs_you: boolean;
}

export const lookupOf = (view: Session): Lookup => ({
  agent: view.agent,
  name: view.name,
  resume_token: view.metadata.resume_token,
  parent: view.parent?.session_id ?? null,
  needs_you: needsYou(view),
});

type Asked = Pick<
  SessionFilter,
  "agent" | "name" | "resume_token" | "parent" | "needs_you"
>;

/** Whether a session is what was looked for. */
export const isLookedFor = (view: Session, asked: Asked): boolean => {
  const found = lookupOf(view);
  return (
    (asked.agent === undefined || asked.agent === found.agent) &&
    (asked.name === undefined || asked.name === found.name) &&
    (asked.resume_token === undefined ||
      asked.resume_token === found.resume_token) &&
    (asked.parent === undefined || asked.parent === found.parent) &&
    (asked.needs_you !== true || found.needs_you)
  );
};
