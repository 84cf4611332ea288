/** What a task is told of a session: how it stands, and what came of its prompts. */
import type { Event } from "../../contract/event/event.ts";
import type { PromptId } from "../../contract/base/id.ts";
import type { InterruptionCode } from "../../contract/session/interruption.ts";
import { usedUpWords } from "../../contract/base/budget.ts";
import type { AttemptReason } from "../../contract/task/task.ts";
import { goesOnByItself } from "../../session/state/quota/hand-over.ts";
import type { Lifecycle, State } from "../../session/state/state.ts";
import type { SessionNews } from "../../task/command.ts";

export type PromptOver = SessionNews["over"][number];

/** What happened in a session that its task was not told of. */
export type Untold = Pick<SessionNews, "over" | "resumed">;

export const sessionNews = (state: State, untold: Untold): SessionNews => {
  const { lifecycle, checkpoints } = state;
  const goesOn = goesOnByItself(state);
  const isGoneOnWith = (prompt: PromptId): boolean =>
    prompt === goesOn ||
    state.prompts.continued.some(({ by, first }) =>
      [by, first].includes(prompt),
    );
  return {
    id: state.id,
    state: lifecycle.name,
    has_turns: state.turns.over > 0,
    asks: state.permissions.pending.length > 0,
    waiting: waitingPrompts(state, goesOn).map((id) => firstOf(state, id)),
    working_on: firstOf(state, workingOn(state)),
    ...untold,
    // What a quota cut off is not over while the session goes on with it by itself (TSK-66).
    over: untold.over
      .filter(
        ({ prompt_id, reason }) =>
          reason?.code !== "quota" || !isGoneOnWith(prompt_id),
      )
      .map((each) => ({ ...each, prompt_id: firstOf(state, each.prompt_id) })),
    error: lifecycle.name === "ERROR" ? errorOf(lifecycle) : usedUpIn(state),
    is_captured: !checkpoints.enabled || checkpoints.due === null,
    is_deleted: state.deleted_at !== null,
  };
};

/** A prompt that goes on with another one because of a quota is that one, as far as the task knows. */
const firstOf = <T extends PromptId | null>(
  { prompts }: State,
  prompt: T,
): T | PromptId =>
  prompts.continued.find(({ by }) => by === prompt)?.first ?? prompt;

const waitingPrompts = (
  { lifecycle, prompts }: State,
  goesOn: PromptId | null,
): PromptId[] => [
  ...(goesOn === null ? [] : [goesOn]),
  ...(lifecycle.name === "RUNNING" ? [lifecycle.turn.prompt_id] : []),
  ...prompts.queue.map(({ id }) => id),
];

/** The prompt that the agent has, while it waits for nobody. */
const workingOn = ({
  lifecycle,
  permissions,
}: State): SessionNews["working_on"] =>
  lifecycle.name === "RUNNING" &&
  lifecycle.turn.delivery.kind === "delivered" &&
  permissions.pending.length === 0
    ? lifecycle.turn.prompt_id
    : null;

const errorOf = ({
  message,
  restriction,
  code,
  failure,
}: Extract<Lifecycle, { name: "ERROR" }>): AttemptReason => ({
  code:
    restriction === undefined
      ? (code ?? failure ?? "error")
      : "restriction_not_held",
  text: message,
});

/** No other turn begins until somebody raises its budget. */
const usedUpIn = ({ lifecycle, budget }: State): AttemptReason | null =>
  budget.reached === null || lifecycle.name === "RUNNING"
    ? null
    : {
        code: "budget_reached",
        text: `the budget is used up: ${usedUpWords(budget.reached)}`,
      };

/** What came of a prompt, where an event tells. */
export const promptOver = (event: Event): PromptOver | null => {
  switch (event.type) {
    case "session.turn.ended": {
      const { prompt_id, outcome, error, stop_reason, failure } = event.data;
      const text = error ?? stop_reason;
      const code =
        outcome === "refused" ? "refused" : (failure ?? "turn_failed");
      const isBad = outcome === "failed" || outcome === "refused";
      const cut =
        stop_reason === "budget" && outcome === "cancelled"
          ? { code: "budget_reached", text: "the budget was used up" }
          : null;
      const reason = isBad ? { code, text } : cut;
      return { prompt_id, outcome, reason, not_before: null };
    }
    case "session.turn.interrupted": {
      const { prompt_id, reason: text, limit } = event.data;
      const code =
        limit === undefined ? pausedOr("interrupted", event.data) : "quota";
      const not_before = limit?.resets_at ?? null;
      const reason = { code, text };
      return { prompt_id, outcome: "interrupted", reason, not_before };
    }
    case "session.prompt.uncertain": {
      const { prompt_id, reason: text } = event.data;
      const reason = { code: pausedOr("uncertain", event.data), text };
      return { prompt_id, outcome: "uncertain", reason, not_before: null };
    }
    // One that went on by itself until somebody decided about it; of any other the end was told.
    case "session.prompt.resolved": {
      const { prompt_id, unasked } = event.data;
      if (unasked === true) return null;
      const reason = { code: "interrupted", text: "The turn was interrupted." };
      return { prompt_id, outcome: "interrupted", reason, not_before: null };
    }
    case "session.prompt.cancelled": {
      const { prompt_id } = event.data;
      return {
        prompt_id,
        outcome: "withdrawn",
        reason: null,
        not_before: null,
      };
    }
    default:
      return null;
  }
};

/** Who pauses a session decides when it goes on (TSK-23). */
const pausedOr = (
  other: string,
  { code }: { code?: InterruptionCode | undefined },
): string => (code === "paused" ? code : other);
