/** given(commands) · when(command) · then(events), for tests of tasks. */
import assert from "node:assert/strict";
import { AttemptId, PromptId, SessionId, TaskId } from "../contract/base/id.ts";
import { LOCAL } from "../contract/base/place.ts";
import type { ProblemCode } from "../contract/problem/problem-codes.ts";
import type { TaskEvent, TaskEventType } from "../contract/task/task-event.ts";
import type {
  Command,
  Create,
  NewIds,
  RetrySession,
  SessionNews,
} from "./command.ts";
import { decide, decideCreate } from "./decide.ts";
import type { Decision } from "./draft.ts";
import { evolve } from "./evolve.ts";
import { intend, type SendIntent } from "./intend.ts";
import type { AttemptEnd, State } from "./state.ts";

const padded = (n: number): string => String(n).padStart(26, "0");
export const TASK = TaskId.parse(`tsk_${padded(1)}`);
export const attemptId = (n: number): AttemptId =>
  AttemptId.parse(`att_${padded(n)}`);
export const sessionId = (n: number): SessionId =>
  SessionId.parse(`ses_${padded(n)}`);
export const promptId = (n: number): PromptId =>
  PromptId.parse(`prm_${padded(n)}`);

/** The n-th attempt begins with the n-th prompt, unless one waits. */
export const idsOf = (n: number): NewIds => ({
  attempt_id: attemptId(n),
  prompt_id: promptId(n),
});

/** So many seconds into the story. */
export const second = (n: number): string =>
  new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

export const creation = (changes: Partial<Create> = {}): Create => ({
  task_id: TASK,
  name: null,
  place: LOCAL,
  title: "Fix the login",
  description: "Users are logged out after a minute.",
  session: { agent: "demo", cwd: "/work" },
  retry: { limit: 0, backoff_seconds: 10, most_seconds: 600 },
  timeout_minutes: null,
  contexts: [],
  ...changes,
});

export const news = (changes: Partial<SessionNews> = {}): SessionNews => ({
  id: sessionId(1),
  state: "RUNNING",
  has_turns: false,
  waiting: [],
  working_on: null,
  over: [],
  error: null,
  is_captured: true,
  ...changes,
});

export const retrySession = (
  changes: Partial<RetrySession> = {},
): RetrySession => ({
  id: sessionId(1),
  agent: "demo",
  state: "WAITING_FOR_INPUT",
  is_gone: false,
  abilities: { resume: true, load: true, injection: true },
  ...changes,
});

const nothingKnown: Omit<AttemptEnd, "outcome" | "reason"> = {
  agent_session_id: null,
  resume: null,
  files_changed: [],
  files_left_out: 0,
  last_words: null,
};

/** A task, and what happens to it step by step. Every step is folded twice: as it was decided, and from the events. */
export class TaskStory {
  #state: State;
  #events: readonly TaskEvent[];
  #last: Decision;
  #now = 0;

  constructor(changes: Partial<Create> = {}) {
    this.#last = decideCreate(creation(changes), second(0));
    assert.equal(this.#last.kind, "events");
    this.#state = this.#last.after;
    this.#events = this.#last.events;
  }

  get state(): State {
    return this.#state;
  }

  /** The types of the events of the last command. */
  get types(): TaskEventType[] {
    return this.lastEvents.map(({ type }) => type);
  }

  get lastEvents(): readonly TaskEvent[] {
    return this.#last.kind === "events" ? this.#last.events : [];
  }

  /** From now on it is so many seconds into the story. */
  at(seconds: number): this {
    this.#now = seconds;
    return this;
  }

  when(command: Command): this {
    this.#last = decide(this.#state, command, second(this.#now));
    if (this.#last.kind === "events") {
      this.#state = this.#last.after;
      this.#events = [...this.#events, ...this.#last.events];
    }
    return this;
  }

  then(...types: TaskEventType[]): this {
    assert.deepEqual(this.types, types);
    return this;
  }

  refused(code: ProblemCode): this {
    assert.equal(this.#last.kind, "refused");
    assert.equal(this.#last.code, code);
    return this;
  }

  /** The journal gives the same state as the decisions did. */
  checkFold(): void {
    const folded = this.#events.reduce<State | null>(evolve, null);
    assert.deepEqual(folded, this.#state);
  }

  run(n = 1): this {
    return this.when({
      type: "task.run",
      ids: idsOf(n),
      agent: "demo",
    });
  }

  retry(
    n: number,
    mode: "continue" | "fresh" | null = null,
    session: RetrySession | null = retrySession(),
  ): this {
    return this.when({
      type: "task.retry",
      ids: idsOf(n),
      mode,
      agent: null,
      session,
    });
  }

  add(n: number, ...texts: string[]): this {
    return this.when({
      type: "context.add",
      contexts: texts.map((text) => ({ text })),
      ids: idsOf(n),
      session: retrySession(),
    });
  }

  observe(changes: Partial<SessionNews>): this {
    return this.when({ type: "session.observe", news: news(changes) });
  }

  get sending(): SendIntent {
    const send = intend(this.#state).find((each) => each.kind === "send");
    assert.ok(send, "nothing is to be sent");
    return send;
  }

  /** The session has what was to be sent. */
  sent(session = sessionId(1)): this {
    const { attempt_id, session_id, prompt_id } = this.sending;
    return this.when({
      type: "prompt.queued",
      attempt_id,
      session_id: session_id ?? session,
      prompt_id,
    });
  }

  works(n: number, session = sessionId(1)): this {
    const working_on = promptId(n);
    return this.observe({ id: session, waiting: [working_on], working_on });
  }

  over(
    n: number,
    outcome: SessionNews["over"][number]["outcome"] = "completed",
    changes: Partial<SessionNews> = {},
    reason: SessionNews["over"][number]["reason"] = null,
  ): this {
    return this.observe({
      state: "WAITING_FOR_INPUT",
      has_turns: true,
      over: [{ prompt_id: promptId(n), outcome, reason, not_before: null }],
      ...changes,
    });
  }

  /** It was found out what the attempt changed. */
  reviewed(changes: Partial<typeof nothingKnown> = {}): this {
    const review = intend(this.#state).find((each) => each.kind === "review");
    assert.ok(review, "no attempt is to be reviewed");
    return this.when({
      type: "attempt.end",
      attempt_id: review.attempt_id,
      ids: idsOf(90 + this.#state.attempts.length),
      session: retrySession(),
      ...nothingKnown,
      ...changes,
    });
  }
}
