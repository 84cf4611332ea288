/** What the runtime needs of the machine and the home that it runs in. */
import type {
  AttemptId,
  CommandId,
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";

/** Directories that are made for sessions which were given none. Refusals are `RepriseError`s. */
export interface OwnDirectories {
  /** Makes it if it is not there. */
  make(session: SessionId): Promise<void>;
  /** The names of all, whatever else lies among them. */
  list(): Promise<string[]>;
}

/** What is known of forks that may not be in the journal yet. */
export interface ForkNotes {
  /** Resolves when it is durable. */
  put(session: SessionId, text: string): Promise<void>;
  get(session: SessionId): Promise<string | null>;
  remove(session: SessionId): Promise<void>;
  /** The names of all, whatever else lies among them. */
  list(): Promise<string[]>;
}

/** The disk, before something new is begun: refuses with `storage_full` while there is little left. */
export interface Room {
  check(): Promise<void>;
}

export interface Clock {
  now(): Date;
}

/** By which it is told how old something is. */
export interface Ages extends Clock {
  /** The time from which on the age of what bears this stamp counts: later than the stamp where the clock was behind. */
  since(stamp: string): string;
}

export interface Ids {
  session(): SessionId;
  task(): TaskId;
  attempt(): AttemptId;
  prompt(): PromptId;
  execution(): ExecutionId;
  command(): CommandId;
}

/** What the runtime says about itself. No secrets, no texts of sessions. */
export interface Log {
  info(facts: object, words: string): void;
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}
