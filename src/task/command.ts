/** What is asked of a task, and what is told to it. */
import type { Abilities, AgentId } from "../contract/agent/agent.ts";
import type { ProfileId } from "../contract/agent/profile-view.ts";
import type { Budget } from "../contract/base/budget.ts";
import type {
  AttemptId,
  PromptId,
  SessionId,
  TaskId,
} from "../contract/base/id.ts";
import type { PlaceRef } from "../contract/base/place.ts";
import type { StateName } from "../contract/session/state.ts";
import type {
  TaskDescription,
  TaskEventDataOf,
} from "../contract/task/task-event.ts";
import type { AttemptReason } from "../contract/task/task.ts";
import type { AttemptEnd, PromptEnd } from "./state.ts";

/** Makes a task: the one command that needs no state. */
export interface Create extends TaskDescription {
  task_id: TaskId;
  name: string | null;
  place: PlaceRef;
  contexts: readonly NewContext[];
}

export interface NewContext {
  name?: string;
  text: string;
}

export type Command =
  /** Says anew what is to be done. */
  | ({ type: "task.describe" } & TaskDescription)
  /** What all its attempts may spend together; null: whatever they take. An attempt that stopped at the budget goes on. */
  | {
      type: "budget.set";
      budget: Budget | null;
      ids: NewIds;
      session: RetrySession | null;
    }
  | { type: "task.run"; ids: NewIds; agent: AgentId; profile?: NamedProfile }
  | {
      type: "task.retry";
      ids: NewIds;
      /** Null: whichever is possible. */
      mode: "continue" | "fresh" | null;
      /** For a new session; null: that of the attempt before. */
      agent: AgentId | null;
      profile?: NamedProfile;
      /** The session of the newest attempt; null where there is none any more. */
      session: RetrySession | null;
    }
  | {
      type: "context.add";
      contexts: readonly NewContext[];
      ids: NewIds;
      session: RetrySession | null;
    }
  | { type: "task.close"; as: "done" | "cancelled" }
  | { type: "task.delete" }
  /** `name`: what it is called from now on. */
  | { type: "task.undelete"; name: string | null }
  /** Its time has come: for a retry, or for an attempt that works too long. */
  | {
      type: "task.wake";
      ids: NewIds;
      session: RetrySession | null;
    }
  | { type: "session.observe"; news: SessionNews }
  /** A session has a prompt of an attempt. */
  | ({ type: "prompt.queued" } & TaskEventDataOf<"task.prompt.queued">)
  /** A prompt of an attempt cannot be sent. */
  | {
      type: "attempt.fail";
      attempt_id: AttemptId;
      prompt_id: PromptId;
      reason: AttemptReason;
    }
  /** A session was removed, or is damaged. */
  | {
      type: "session.lose";
      session_id: SessionId;
      /** How it counts from now on. */
      state: "CANCELLED" | "FAILED";
      reason: AttemptReason;
    }
  | ({
      type: "attempt.end";
      attempt_id: AttemptId;
      ids: NewIds;
      session: RetrySession | null;
    } & Omit<AttemptEnd, "outcome" | "reason">);

/** A profile that a request names, of the agent that it names; null: none but the agent itself. */
export type NamedProfile = ProfileId | null | undefined;

export type CommandType = Command["type"];

/** For the attempt and the prompt that come of a command, if any do. */
export interface NewIds {
  attempt_id: AttemptId;
  prompt_id: PromptId;
}

/** The session that could go on, as it stands. */
export interface RetrySession {
  id: SessionId;
  agent: AgentId;
  profile?: ProfileId | undefined;
  state: StateName;
  /** It is in the trash, damaged or gone. */
  is_gone: boolean;
  abilities: Pick<Abilities, "resume" | "load" | "injection">;
}

/** What happened in a session of the task. */
export interface SessionNews {
  id: SessionId;
  state: StateName;
  /** A turn is over in it. */
  has_turns: boolean;
  /** Its agent waits for an answer to a permission request. */
  asks: boolean;
  /** Prompts that the agent has not taken, or has not finished. */
  waiting: readonly PromptId[];
  /** Its agent works on a prompt and waits for nobody. */
  working_on: PromptId | null;
  /** Its agent had been away and came back since the task was last told. */
  resumed: boolean;
  /** Prompts of it that are over, in order. */
  over: readonly ({ prompt_id: PromptId } & PromptEnd)[];
  /** Why it is in `ERROR`, or begins no other turn. */
  error: AttemptReason | null;
  /** Nothing of its turns has to be captured any more. */
  is_captured: boolean;
  /** It is in the trash: what waits there does not go on. */
  is_deleted: boolean;
}
