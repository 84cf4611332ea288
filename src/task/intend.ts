/**
 * What the world should be doing for a task right now, read off its state. Reactors do it and answer with commands.
 * Because it follows from the state alone, it is the same after a restart.
 */
import type { AgentId } from "../contract/agent/agent.ts";
import type { AttemptId, PromptId, SessionId } from "../contract/base/id.ts";
import { isTerminal } from "../contract/session/state.ts";
import type { SessionTemplate } from "../contract/task/session-template.ts";
import { openAttempt, type Attempt, type State } from "./state.ts";
import { promptText } from "./words.ts";

export type Intent =
  | SendIntent
  /** An attempt has used up its time: cancel its turn, and pause the session if that does not help. */
  | {
      kind: "stop";
      attempt_id: AttemptId;
      session_id: SessionId;
      /** Those that may still wait are withdrawn. */
      prompt_ids: readonly PromptId[];
    }
  /** Find out what an attempt changed. */
  | { kind: "review"; attempt_id: AttemptId; session_id: SessionId | null }
  | {
      kind: "end";
      session_id: SessionId;
      outcome: "completed" | "cancelled";
    };

/** Give the next prompt of an attempt to its session, once. */
export interface SendIntent {
  kind: "send";
  attempt_id: AttemptId;
  agent: AgentId;
  /** Null: a new session is made for it, by the template. */
  session_id: SessionId | null;
  template: SessionTemplate;
  prompt_id: PromptId;
  /** It waits in the session already: only the agent has to be there. */
  waits: boolean;
  text: string;
  /** The prompt that was cut off, in whose place it comes. */
  resolves: PromptId | null;
}

export const intend = (state: State): Intent[] => {
  const attempt = openAttempt(state);
  return [
    ...(state.closed === null ? [] : endings(state, state.closed)),
    ...(attempt === null ? [] : attemptIntents(state, attempt)),
  ];
};

const attemptIntents = (state: State, attempt: Attempt): Intent[] => {
  const { id: attempt_id, session_id, progress, timed_out_at } = attempt;
  if (progress.kind === "settled")
    return [{ kind: "review", attempt_id, session_id }];
  if (state.closed !== null) return [];
  if (timed_out_at !== null)
    return session_id === null
      ? []
      : [{ kind: "stop", attempt_id, session_id, prompt_ids: open(attempt) }];
  const next = attempt.prompts.findIndex(({ is_sent }) => !is_sent);
  return sending(state, attempt, next);
};

const sending = (
  state: State,
  attempt: Attempt,
  index: number,
): SendIntent[] => {
  const prompt = attempt.prompts[index];
  if (prompt === undefined) return [];
  return [
    {
      kind: "send",
      attempt_id: attempt.id,
      agent: attempt.agent,
      session_id: attempt.session_id,
      template: attempt.template ?? state.session,
      prompt_id: prompt.id,
      waits: prompt.waits,
      text: promptText(state, attempt, index),
      resolves: index === 0 ? cutOff(state, attempt) : null,
    },
  ];
};

const open = ({ prompts }: Attempt): PromptId[] =>
  prompts.filter(({ over }) => over === null).map(({ id }) => id);

/** The last prompt of the attempt before, where nobody has decided about it. */
const cutOff = ({ attempts }: State, attempt: Attempt): PromptId | null => {
  const before = attempts[attempt.number - 2];
  if (before === undefined || before.session_id !== attempt.session_id)
    return null;
  const cut = before.prompts.findLast(
    ({ over }) =>
      over?.outcome === "interrupted" || over?.outcome === "uncertain",
  );
  return cut?.id ?? null;
};

/** The sessions of a closed task that have not ended. */
const endings = (state: State, closed: "done" | "cancelled"): Intent[] => {
  const ended = state.sessions.filter((each) => isTerminal(each.state));
  const known = new Set<SessionId>([
    ...state.sessions.map(({ id }) => id),
    ...state.attempts.flatMap(({ session_id }) => session_id ?? []),
  ]);
  for (const { id } of ended) known.delete(id);
  const outcome = closed === "done" ? "completed" : "cancelled";
  return [...known].map((session_id) => ({ kind: "end", session_id, outcome }));
};

/** Two intents with the same key are the same: it is pursued once. */
export const keyOf = (intent: Intent): string => {
  switch (intent.kind) {
    case "send":
      return `send ${intent.prompt_id}`;
    case "stop":
    case "review":
      return `${intent.kind} ${intent.attempt_id}`;
    case "end":
      return `end ${intent.session_id}`;
  }
};
