/** An event in the words of a notification. */
import type { NotifyReason } from "../../contract/api/webhook-settings.ts";
import type { Event } from "../../contract/event/event.ts";
import { needsYou, type Standing } from "../../contract/session/needs-you.ts";
import type { Session } from "../../contract/session/session.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";

export interface Note {
  title: string;
  text: string;
  /** Somebody has to do something. */
  isUrgent: boolean;
}

export const noteOf = (
  event: Event | TaskEvent,
  session: Pick<Session, "name" | "agent" | "cwd"> | null,
): Note => {
  const isUrgent = notifyReasonOf(event) === "needs_you";
  const what = subjectOf(event, session);
  return {
    title: line(`${isUrgent ? "Needs you" : "Finished"}: ${what}`, 100),
    text: line(wordsOf(event), 500),
    isUrgent,
  };
};

/** Why a person is notified of it; null when nobody is. */
export const notifyReasonOf = (
  event: Event | TaskEvent,
): NotifyReason | null => {
  switch (event.type) {
    case "session.permission.requested":
      return event.data.answered_by === undefined ? "needs_you" : null;
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      return "needs_you";
    case "session.state_changed":
      return event.data.to === "ERROR" ? "needs_you" : null;
    case "session.turn.ended":
      // Nothing goes on until the budget is raised.
      if (event.data.stop_reason === "budget") return "needs_you";
      switch (event.data.outcome) {
        case "completed":
          return "finished";
        case "cancelled":
          return null;
        default:
          return "needs_you";
      }
    default:
      return null;
  }
};

/**
 * Whether nobody is needed any more for this, by the session as it is now: it needs nobody, or somebody has answered or decided.
 * What stopped it altogether is told by the event of that.
 */
export const isSettled = (
  event: Event | TaskEvent,
  session: Standing | null,
): boolean => {
  if (session === null) return false;
  switch (event.type) {
    case "session.permission.requested":
      return !session.pending_permissions.some(
        ({ id }) => id === event.data.permission.id,
      );
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      return (
        session.state === "ERROR" ||
        !needsYou(session) ||
        !session.unresolved_prompts.some(
          ({ id, goes_on = null }) =>
            id === event.data.prompt_id && goes_on === null,
        )
      );
    case "session.state_changed":
      return session.state !== "ERROR" || !needsYou(session);
    default:
      return false;
  }
};

const subjectOf = (
  event: Event | TaskEvent,
  session: Pick<Session, "name" | "agent" | "cwd"> | null,
): string => {
  if (session === null)
    return "session_id" in event ? event.session_id : event.task_id;
  const directory = session.cwd.split("/").at(-1) ?? "";
  return session.name ?? `${session.agent} in ${directory}`;
};

const wordsOf = (event: Event | TaskEvent): string => {
  switch (event.type) {
    case "session.permission.requested":
      return `It asks: ${event.data.permission.title}`;
    case "session.turn.interrupted":
      return `Turn ${event.data.turn} was interrupted: ${event.data.reason}`;
    case "session.prompt.uncertain":
      return `Nobody knows whether the agent got the prompt of turn ${event.data.turn}: ${event.data.reason}`;
    case "session.turn.ended": {
      const { turn, outcome, error } = event.data;
      return `Turn ${turn} is over: ${outcome}${error === null ? "" : `, ${error}`}`;
    }
    case "session.state_changed":
      return `It is in ERROR and does nothing until somebody looks: ${event.data.message ?? "the reason is not known"}`;
    case "task.state_changed":
      return `The task is ${event.data.to} now.`;
    default:
      return event.type;
  }
};

/** One line without control characters. */
const line = (text: string, most: number): string => {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return clean.length <= most
    ? clean
    : `${clean.slice(0, most - 1).toWellFormed()}…`;
};
