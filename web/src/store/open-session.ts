/** A session that somebody looks at: what is shown of it, and what can be done with it. */
import type { Answer, Given } from "../../../src/client/client.ts";
import type { ContentBlock } from "../../../src/contract/base/content.ts";
import type { ContextUse, Usage } from "../../../src/contract/base/usage.ts";
import type {
  CheckpointId,
  RewindPlan,
} from "../../../src/contract/session/checkpoint.ts";
import type { Message } from "../../../src/contract/session/message.ts";
import type { Permission } from "../../../src/contract/agent/permission.ts";
import type { Prompt } from "../../../src/contract/session/prompt.ts";
import type {
  Session,
  SessionStatus,
} from "../../../src/contract/session/session.ts";
import type { EventDataOf } from "../../../src/contract/event/event.ts";
import type { Mark, TurnMark } from "../line/mark.ts";
import type { Standing } from "../words/standing.ts";
import type { Connection } from "./connection.ts";
import type { Readable } from "./readable.ts";
import type { ClosedQuestion } from "./session/questions.ts";

export type Plan = EventDataOf<"session.plan.updated">;

/** A turn as the conversation shows it. Its object is the same until something in the turn changes. */
export interface TurnView {
  /** 0: what was said before the first turn. */
  turn: number;
  /** Oldest first. Of the first turn in view there may be earlier ones. */
  messages: readonly Message[];
  mark: TurnMark | null;
  /** When it began and when it was over; null where that is not known, or not yet. */
  startedAt: string | null;
  endedAt: string | null;
  /** What happened behind it and before the next turn: breaks, ticks, rests, rewinds, hand-offs, the end. */
  afterwards: readonly Mark[];
  /** What the agent was given as text with the next prompt behind these; null where it was given none, or not yet. */
  told: ToldText | null;
}

/** What an agent was told, word for word, with the prompt at its end. */
export interface ToldText {
  /** The turn that began with it. */
  turn: number;
  text: string;
}

/** A rewind behind which no turn has begun. */
export interface LastRewind {
  to: number;
  /** What was captured first: a rewind to that undoes it. Null where nothing was. */
  undo: CheckpointId | null;
}

/** The same object until something changes, at most once a frame. */
export interface SessionView {
  session: Session;
  /** Null until it was answered for the first time. */
  status: SessionStatus | null;
  /** The newest messages, oldest first. */
  messages: readonly Message[];
  hasEarlier: boolean;
  isLoadingEarlier: boolean;
  /** The same messages by turns. */
  turns: readonly TurnView[];
  /** The whole line, also of turns that are not in view. */
  line: readonly Mark[];
  /** The plan of the newest turn; null where the agent tells none. */
  plan: Plan | null;
  usage: Usage | null;
  context: ContextUse | null;
  /** What the agent asks, as the server says: never from a live event alone. */
  permissions: readonly Permission[];
  /** A question that was shown here and is over, until something newer takes its place. */
  closedQuestion: ClosedQuestion | null;
  /** Prompts that wait, as the server has them. */
  queue: readonly Prompt[];
  /** The newest thing that happened, where that is a rewind. */
  rewound: LastRewind | null;
  /** The agent is being brought back, or somebody has just asked for it: nothing can be rewound before it is there. */
  isComingBack: boolean;
  /** Where it stands: what the band above the prompt box says. */
  standing: Standing;
  connection: Connection;
}

/** What came of asking for a session by its address. */
export type Opening =
  | { kind: "loading" }
  /** `status` of the answer: 404 and 410 mean that there is no such session. */
  | { kind: "failed"; text: string; isMissing: boolean }
  | { kind: "open"; session: OpenSession };

/** Every action is answered by the server, and throws its refusal (`RepriseError` with a code, or `ServerUnreachable`). */
export interface OpenSession extends Readable<SessionView> {
  readonly id: string;
  loadEarlier(): Promise<void>;
  /** `key` is the draft's: a second attempt with the same one makes no second prompt. */
  prompt(content: readonly ContentBlock[], key: string): Promise<Prompt>;
  cancelTurn(): Promise<void>;
  cancelPrompt(id: string): Promise<void>;
  permit(requestId: string, optionId: string): Promise<void>;
  /** The closed question was read. */
  forgetQuestion(): void;
  resolve(
    promptId: string,
    action: "continue" | "resend" | "drop",
  ): Promise<void>;
  /** `now`: what waits for a quota is tried at once. */
  resume(options?: { now?: boolean }): Promise<void>;
  /** Starts the agent although it will not remember. */
  startWithoutMemory(): Promise<void>;
  recover(): Promise<void>;
  pause(): Promise<void>;
  end(outcome?: Given<"endSession">["body"]): Promise<void>;
  rename(name: string): Promise<void>;
  /** With `dry_run` it only says what would be done. */
  rewind(
    body: Given<"rewindSession">["body"],
  ): Promise<Answer<"rewindSession">>;
  /** The line as that rewind would leave it. */
  lineAfter(plan: RewindPlan): readonly Mark[];
  /** The new session. */
  fork(body?: Given<"forkSession">["body"]): Promise<Session>;
  handOff(agent: string): Promise<void>;
  remove(): Promise<void>;
  undelete(): Promise<void>;
  /** Somebody sees its end: it is not unseen any more. */
  markSeen(): void;
}
