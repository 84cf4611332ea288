/** What a task is told of a session: how it stands, and what came of its prompts. */
import type { Event } from "../../contract/event/event.ts";
import type { PromptId } from "../../contract/base/id.ts";
import type { InterruptionCode } from "../../contract/session/interruption.ts";
import type { AttemptReason } from "../../contract/task/task.ts";
import type { Lifecycle, State } from "../../session/state/state.ts";
import type { SessionNews } from "../../task/command.ts";

export type PromptOver = SessionNews["over"][number];

/** `over`: the prompts whose end the task was not told of. */
export const sessionNews = (
  state: State,
  over: readonly PromptOver[],
): SessionNews => {
  const { lifecycle, checkpoints } = state;
  return {
    id: state.id,
    state: lifecycle.name,
    has_turns: state.turns.over > 0,
    waiting: waitingPrompts(state),
    working_on: workingOn(state),
    over,
    error: lifecycle.name === "ERROR" ? errorOf(lifecycle) : null,
    is_captured: !checkpoints.enabled || checkpoints.due === null,
    is_deleted: state.deleted_at !== null,
  };
};

const waitingPrompts = ({ lifecycle, prompts }: State): PromptId[] => [
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

/** What came of a prompt, where an event tells. */
export const promptOver = (event: Event): PromptOver | null => {
  switch (event.type) {
    case "session.turn.ended": {
      const { prompt_id, outcome, error, stop_reason, failure } = event.data;
      const text = error ?? stop_reason;
      const code =
        outcome === "refused" ? "refused" : (failure ?? "turn_failed");
      const isBad = outcome === "failed" || outcome === "refused";
      const reason = isBad ? { code, text } : null;
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
