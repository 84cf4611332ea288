/** What a session's journal holds of one turn, without reading all of it. */
import type { Event } from "../../contract/event/event.ts";
import { MessageId, type PromptId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import type { Client } from "../client.ts";
import type { TurnEnd } from "../prompt/prompt-phases.ts";

export interface TurnRecord {
  /** What was said and done in it, oldest first. */
  messages: Message[];
  began_at: string | null;
  /** How the agent came back for it; null where it had not been away. */
  resume: Resume | null;
  end: TurnEnd | null;
  /** The prompt that goes on with it, once somebody decided so. */
  continuedBy: PromptId | null;
}

export interface TurnOf {
  session: string;
  turn: number;
  prompt: PromptId;
  /** Somebody decided what becomes of it after it was cut off: the decision is looked for. */
  isResolved: boolean;
}

export const readTurn = async (
  client: Client,
  of: TurnOf,
): Promise<TurnRecord> => {
  const { messages, before } = await messagesOf(client, of);
  const record: TurnRecord = {
    messages,
    began_at: null,
    resume: null,
    end: null,
    continuedBy: null,
  };
  const spoken = messages.filter(({ role }) => role !== "notice");
  const first = seqOf(spoken[0]) ?? before;
  const last = seqOf(spoken.at(-1)) ?? before;
  let after = before;
  for (;;) {
    const { events, next } = await client.listEvents(of.session, { after });
    for (const event of events) take(record, of, event);
    const newest = events.at(-1)?.seq ?? after;
    if (next === null || isComplete(record, of)) return record;
    // How a turn began and how it ended matter; the words between them are in its messages.
    after = newest < first ? newest : Math.max(newest, last - 1);
  }
};

/** The number of the event before the first message of a turn. */
export const beginOf = async (
  client: Client,
  session: string,
  turn: number,
): Promise<number> => {
  const { messages, before } = await messagesOf(client, { session, turn });
  const first = seqOf(messages[0]);
  return first === null ? before : first - 1;
};

/** The messages of the turn, and the number of the last message before it. Pages are read from the newest back. */
const messagesOf = async (
  client: Client,
  { session, turn }: Pick<TurnOf, "session" | "turn">,
): Promise<{ messages: Message[]; before: number }> => {
  const found: Message[] = [];
  let cursor: { before?: MessageId } = {};
  for (;;) {
    const { messages, next } = await client.listMessages(session, cursor);
    found.unshift(...messages.filter((each) => each.turn === turn));
    const earlier = messages.findLast(
      (each) => each.turn < turn && each.role !== "notice",
    );
    if (earlier !== undefined || next === null)
      return { messages: found, before: seqOf(earlier) ?? 0 };
    cursor = { before: MessageId.parse(next) };
  }
};

/** A message is named after the event that added it. */
const seqOf = (message: Message | undefined): number | null =>
  message === undefined ? null : Number(message.id.slice("msg_".length));

const isComplete = ({ end, continuedBy }: TurnRecord, of: TurnOf): boolean =>
  end !== null &&
  (end.type === "session.turn.ended" || !of.isResolved || continuedBy !== null);

const take = (record: TurnRecord, of: TurnOf, event: Event): void => {
  switch (event.type) {
    case "session.resumed":
      if (record.end === null) record.resume = event.data.resume;
      return;
    // Of an earlier turn: so is what came before it.
    case "session.turn.started":
      if (event.data.turn < of.turn) record.resume = null;
      if (event.data.prompt_id === of.prompt) record.began_at ??= event.at;
      return;
    case "session.turn.ended":
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      if (event.data.prompt_id === of.prompt) record.end = event;
      return;
    case "session.prompt.resolved":
      if (event.data.prompt_id === of.prompt)
        record.continuedBy = event.data.by;
      return;
    default:
  }
};
