/** Who needs somebody, and why: the one rule behind the inbox, the badge, the title of the page and notices. */
import { needsYou } from "../../../src/contract/session/needs-you.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { isUnseen, type SeenTurns } from "./seen.ts";

export type AttentionReason =
  | "permission"
  | "uncertain"
  | "interrupted"
  | "error"
  | "budget"
  /** Nothing has to be done; it has not been looked at since. */
  | "finished";

export interface Attention {
  session: Session;
  reason: AttentionReason;
}

export const attentionReason = (
  session: Session,
  seen: SeenTurns,
): AttentionReason | null => {
  if (session.deleted_at !== null) return null;
  if (!needsYou(session)) return isFinished(session, seen) ? "finished" : null;
  if (session.pending_permissions.length > 0) return "permission";
  if (session.state === "ERROR") return "error";
  const undecided = session.unresolved_prompts.findLast(
    ({ goes_on = null }) => goes_on === null,
  );
  if (undecided === undefined) return "budget";
  return undecided.state === "uncertain" ? "uncertain" : "interrupted";
};

/** At rest, and unseen. What an agent had another one do is that agent's to look at. */
const isFinished = (session: Session, seen: SeenTurns): boolean =>
  (session.state === "WAITING_FOR_INPUT" || session.state === "PAUSED") &&
  session.called_by === null &&
  session.queued_prompts.length === 0 &&
  // It is not over where it goes on by itself.
  session.unresolved_prompts.length === 0 &&
  isUnseen(session, seen);

/** All that need somebody, who has waited longest first. */
export const attention = (
  sessions: Iterable<Session>,
  seen: SeenTurns,
): Attention[] =>
  [...sessions]
    .flatMap((session) => {
      const reason = attentionReason(session, seen);
      return reason === null ? [] : [{ session, reason }];
    })
    .sort((one, other) =>
      order(one.session.last_active_at, other.session.last_active_at),
    );

const order = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** `(5) Home · Reprise` */
export const titleWith = (count: number, title: string): string =>
  `${count === 0 ? "" : `(${count}) `}${title} · Reprise`;
