/** What the runtime needs of a store: the journal and what is derived from it. */
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import type { Event, EventOf } from "../../contract/event/event.ts";
import type {
  PermissionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import type { MessageRole } from "../../contract/session/message.ts";
import type { Directory, PlaceRef } from "../../contract/base/place.ts";
import type {
  Permission,
  PermissionChange,
} from "../../contract/agent/permission.ts";
import type { Prompt, PromptChange } from "../../contract/session/prompt.ts";
import type { Executor, Session } from "../../contract/session/session.ts";
import type {
  PlaceTerm,
  Receipt,
  Snapshot,
} from "../../journal/journal-store.ts";
import type { Task } from "../../contract/task/task.ts";
import type { Attention } from "../../session/state/attention.ts";
import type { TaskStore } from "./task-store.ts";
import type { OutboxEntry, WebhookStore } from "./webhook-store.ts";

export type {
  Attention,
  PermissionChange,
  PlaceTerm,
  PromptChange,
  Receipt,
  Snapshot,
};

/** A session that goes on by itself at a time. */
export interface DueSession {
  session_id: SessionId;
  due_at: string;
}

/** What is kept beside a journal and follows from its events. */
export interface Derived {
  /** What lists show of the session. */
  view: Session;
  /** Null where it did not change. */
  executor: Executor | null;
  /** Null where it did not change. */
  attention: Attention | null;
  prompts: readonly PromptChange[];
  permissions: readonly PermissionChange[];
  /** The session's task has to be told of these events. */
  news: boolean;
  /** Whoever follows all sessions need not be told of them: only what the agent says and does in its turn changed. */
  quiet?: boolean;
}

/** Everything one decision changes: it becomes durable together or not at all. */
export interface Append extends Derived {
  /** The place that the session belongs to, and the term that the writer has there (STO-48). */
  place: PlaceTerm;
  session_id: SessionId;
  /** The session's last seq before these events: refused when it is another. */
  after: number;
  events: readonly Event[];
  /** The folded state after these events, written where a turn ends. */
  snapshot: Snapshot | null;
  receipt: Receipt | null;
  /** The session's own environment; secret, so it is no part of the events. Set at creation. */
  env: Record<string, string> | null;
  /** Which channels are to be told of the events (STO-73). */
  outbox?: readonly OutboxEntry[];
}

export interface MessageStart {
  seq: number;
  /** Of the events from it up to the next message. */
  bytes: number;
  role: MessageRole;
  /** A notice belongs to the turn of the message before it, and does not say which. */
  turn: number | null;
  /** It goes on with another message. */
  continues: boolean;
}

export interface MessageStarts {
  /** Newest first. */
  starts: MessageStart[];
  /** Bytes of the events that were looked through behind the last of them. */
  rest: number;
  /** The oldest event that was looked through; `before` when there is none. */
  reached: number;
}

export type SessionOrder = "activity" | "wish";

export interface SessionFilter {
  /** Null: those of no task. */
  task_id?: TaskId | null;
  cwd?: Directory;
  /** In this directory, in one above it or in one beneath it. */
  near?: Directory;
  /** Those in the trash instead of all others. */
  deleted?: boolean;
  states?: readonly string[];
  /** The id that the agent gave its own session. */
  resume_token?: string;
  /** Those that were forked from this one. */
  parent?: SessionId;
  name?: string;
  agent?: string;
  /** The beginning of the id. With it, the newest ids come first. */
  prefix?: string;
  /** Only those that stand still until a person does something. */
  needs_you?: boolean;
  /** What the newest come first by; their activity unless it is said. */
  order?: SessionOrder;
  limit: number;
  /** The cursor of the page before. */
  after?: string;
}

/** Makes what is kept beside a journal again, event by event from the first on. */
export interface Derivation {
  add(event: Event): void;
  derived(): Derived;
}

/**
 * The journal and what is derived from it. Refusals are `RepriseError`s: `superseded` (the term was lost),
 * `moved_on` (another writer went on with the session), `idempotency_conflict` (the receipt's key is taken), `storage_full`, `storage_unavailable`, `storage_damaged`, and
 * `session_damaged` where the journal of a session is not what was written.
 * Everything that resolves is durable.
 */
export interface Store extends TaskStore, WebhookStore {
  /** Takes ownership: returns a term higher than any before, and than `above`. */
  claim(above?: number): Promise<number>;
  /** The highest term that was claimed. */
  term(): Promise<number>;
  append(change: Append): Promise<void>;
  /**
   * What a session is folded from: its newest snapshot of this version, if any, and the number of its last event. The
   * events between are read page by page, because there may be any number. Null when there is no such session.
   */
  load(
    session: SessionId,
    version: number,
  ): Promise<{ snapshot: Snapshot | null; last_seq: number } | null>;
  /**
   * In order, from `after` (exclusive), at most `limit`; fewer when they are large, none only at the end. Of a damaged
   * journal those before the damage; refused with `session_damaged` where the next one is the damage.
   */
  events(session: SessionId, after: number, limit: number): Promise<Event[]>;
  /**
   * Where at most `limit` messages begin, the newest first, before an event. So many events are looked through at a time.
   * Refused with `session_damaged` where one of those is damaged.
   */
  messageStarts(
    session: SessionId,
    before: number,
    limit: number,
  ): Promise<MessageStarts>;
  /** The folded line of this version that was saved last; null where there is none. */
  line(session: SessionId, version: number): Promise<Snapshot | null>;
  /** Saves the folded line of a session up to an event. It may be lost: the journal has all of it. */
  saveLine(term: number, session: SessionId, line: Snapshot): Promise<void>;
  /** What was told of checkpoints, oldest first; of a damaged journal what was told before the damage. */
  checkpoints(session: SessionId): Promise<CheckpointEvent[]>;
  /** What must be kept for the checkpoints of all sessions that have any, also behind a damage; by their ids, page by page. */
  needed(): AsyncIterable<NeededBySession>;
  /** Every place that a session works at, once. Found by an index. */
  places(): Promise<PlaceRef[]>;
  /** Places where sessions were purged, and of which no sweep is known since. */
  unswept(): Promise<Unswept[]>;
  /** A sweep is over that began when so many sessions had been purged at the place. */
  noteSwept(place: PlaceTerm, purges: number): Promise<void>;
  session(id: SessionId): Promise<Session | null>;
  sessions(
    filter: SessionFilter,
  ): Promise<{ sessions: Session[]; next: string | null }>;
  prompt(session: SessionId, id: PromptId): Promise<Prompt | null>;
  /** A permission request as it stands, however long ago it was asked. */
  permission(session: SessionId, id: PermissionId): Promise<Permission | null>;
  /** Rows of executors, those that start or are ready first. */
  executors(): Promise<Executor[]>;
  /** Sessions that are `live`, by their ids, from `after` (exclusive), `limit` of them; fewer only at the end. */
  live(after: SessionId | null, limit: number): Promise<SessionId[]>;
  /** Sessions that are due by this time, the longest due first, from `after` (exclusive), `limit` of them; fewer only at the end. */
  due(
    by: string,
    after: DueSession | null,
    limit: number,
  ): Promise<DueSession[]>;
  /** Corrects what is kept of a session whose last event has this number; does nothing where it has another. */
  attend(
    place: PlaceTerm,
    session: SessionId,
    last_seq: number,
    attention: Attention,
  ): Promise<void>;
  env(session: SessionId): Promise<Record<string, string>>;
  /** Removes a session and everything about it, for good. From then on its place is `unswept`. */
  purge(place: PlaceTerm, session: SessionId): Promise<void>;
  /** Called with every session that is found to be damaged. Set once. */
  onDamaged(listen: (session: SessionId) => void): void;
  /** Sessions that are known to be damaged, at most so many. */
  damaged(limit: number): Promise<Session[]>;
  /** Reads the whole journal of a session. Says from which event on it is damaged, and keeps that in mind; null when it is sound. */
  inspect(session: SessionId): Promise<number | null>;
  /** Puts a damaged session into the trash or takes it out: nothing can be added to its journal. */
  trashDamaged(
    place: PlaceTerm,
    session: SessionId,
    deleted_at: string | null,
  ): Promise<void>;
  /** What changed behind a number, each session and task once, in the order of their newest changes. */
  changes(after: number, limit: number): Promise<Changes>;
  /** What a key was answered with in the scopes behind `after`, in their order, page by page. */
  receiptsOf(key: string, after: string): Promise<ReceiptPage>;
  /** The names of races' agreements, the newest first, behind this one, `limit` of them; fewer only at the end. Found by an index. */
  races(after: string | null, limit: number): Promise<string[]>;
  receipt(scope: string, key: string): Promise<Receipt | null>;
  /** Adds it, or puts it in the place of the one with the same scope and key. */
  putReceipt(term: number, receipt: Receipt): Promise<void>;
  /** Adds it, unless there is one with the same scope and key. The newest of its scope are kept, so many. */
  addReceipt(term: number, receipt: Receipt, kept: number): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiptPage {
  /** Without those that are damaged. */
  receipts: Receipt[];
  /** The scope behind which it goes on; null at the end. */
  next: string | null;
}

/** A session or a task as it stands, or the id of one that was removed for good. */
export type Change = { changed: number } & (
  | { kind: "session"; session: Session }
  | { kind: "task"; task: Task }
  | { kind: "session_removed"; id: SessionId }
  | { kind: "task_removed"; id: TaskId }
);

export interface Changes {
  changes: Change[];
  /** How far they reach: what comes next is asked for behind this number. */
  next: number;
  /** The number of the newest change. */
  last: number;
  /** The number is none of this home, or removals behind it are not known any more: lists have to be read again. */
  isReset: boolean;
}

/** A place whose vault may hold what only purged sessions needed. */
export interface Unswept {
  place: PlaceRef;
  /** How many sessions were ever purged there. */
  purges: number;
}

export type CheckpointEvent = EventOf<
  | "session.checkpoint.saved"
  | "session.checkpoint.partial"
  | "session.checkpoint.failed"
>;

export interface NeededBySession {
  session_id: SessionId;
  /** Where it works; null where that is not known. */
  place: PlaceRef | null;
  checkpoints: NeededByCheckpoint[];
  /** More may have been told: its journal is damaged. */
  isIncomplete: boolean;
}

/** What one checkpoint needs, oldest first. */
export interface NeededByCheckpoint extends Pick<
  Checkpoint,
  "id" | "turn" | "kind" | "tree" | "agent_state"
> {
  /** Whose vault holds it; null where that is not known: then it may be any. */
  place: PlaceRef | null;
}
