/** An event as it is sent: the same event always makes the same body. */
import type { Event } from "../../contract/event/event.ts";
import type { Session } from "../../contract/session/session.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import { fittingBody } from "./fitting-body.ts";
import { type Note, noteOf } from "./note.ts";

export type JournalEvent = Event | TaskEvent;

export interface Message {
  /** The same for every try. */
  id: string;
  /** JSON. */
  body: string;
  /** What a person is told. */
  note: Note;
}

export const messageOf = (
  event: JournalEvent,
  /** As it stands now; null where it cannot be read, and for tasks. */
  session: Pick<Session, "name" | "agent" | "cwd"> | null,
): Message => {
  const subject = "session_id" in event ? event.session_id : event.task_id;
  return {
    id: `evt_${subject}_${event.seq}`,
    body: fittingBody(event.type, event.at, {
      session_id: "session_id" in event ? event.session_id : null,
      task_id: event.task_id,
      seq: event.seq,
      ...event.data,
    }),
    note: noteOf(event, session),
  };
};

/** Whether anybody is told of it: not of a permission that a policy answers, and of no state but `ERROR` (WHK-4). */
export const isSent = (event: JournalEvent): boolean => {
  switch (event.type) {
    case "session.permission.requested":
      return event.data.answered_by === undefined;
    case "session.state_changed":
      return event.data.to === "ERROR";
    default:
      return true;
  }
};

/** What `webhook test` sends. */
export const testMessage = (id: string, at: string): Message => {
  const text = "This is a test. If you can read it, it works.";
  return {
    id: `evt_test_${id}`,
    body: fittingBody("webhook.test", at, {
      session_id: null,
      task_id: null,
      seq: 0,
      message: text,
    }),
    note: { title: "Reprise", text, isUrgent: false },
  };
};
