/** Prompts that wait. Each names the event that holds its content, so that a snapshot need not (STO-40). */
import { sizeOf } from "../../contract/base/content.ts";
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import { credentialsLabel } from "../state/credentials-label.ts";
import type { State } from "../state/state.ts";
import { inTurn, runningTurn } from "../state/turns.ts";

export const queued = (
  state: State,
  { seq: content_seq, data }: EventOf<"session.prompt.queued">,
): State => {
  const { prompt_id: id, content, not_with_epoch } = data;
  const known = withKnown(state, data);
  const { prompts } = known;
  const { replacement } = prompts;
  const prompt = {
    id,
    content,
    content_seq,
    about_seq: replacement?.id === id ? replacement.about_seq : content_seq,
    bytes: sizeOf(content) + sizeOfLimits(data),
    turn: null,
    returned: 0,
    tool_calls: replacement?.id === id ? replacement.tool_calls : 0,
    ...(not_with_epoch !== undefined && { not_with_epoch }),
    ...credentialsLabel(data),
    ...limitsOf(data),
  };
  return {
    ...known,
    prompts: {
      ...prompts,
      replacement: null,
      queue: [...prompts.queue, prompt],
    },
  };
};

/** They are held while the prompt waits, as its content is. */
const sizeOfLimits = ({ limits }: EventDataOf<"session.prompt.queued">) =>
  limits === undefined ? 0 : JSON.stringify(limits).length;

/** The sender's credentials are known again: no prompt that was sent with them is given to an agent that lacks them. */
const withKnown = (
  state: State,
  { not_with_epoch, credentials }: EventOf<"session.prompt.queued">["data"],
): State => {
  const { execution } = state;
  if (execution?.without === undefined || execution.epoch !== not_with_epoch)
    return state;
  const without = execution.without.filter((each) => each !== credentials);
  return { ...state, execution: { ...execution, without } };
};

/** Whoever resumes after a failed start lends their credentials to the prompts that wait. */
export const withLent = (
  state: State,
  credentials: string | undefined,
): State =>
  credentials === undefined
    ? state
    : {
        ...state,
        prompts: {
          ...state.prompts,
          queue: state.prompts.queue.map((prompt) =>
            prompt.credentials === undefined
              ? prompt
              : { ...prompt, credentials },
          ),
        },
      };

/** The agent never took it: it waits again, before the others. */
export const requeued = (
  state: State,
  {
    seq: content_seq,
    data: { prompt_id: id, content, turn, limits },
  }: EventOf<"session.prompt.requeued">,
): State => {
  const { prompts } = state;
  const bytes = sizeOf(content);
  const before = runningTurn(state);
  const prompt = {
    id,
    content,
    content_seq,
    about_seq: before?.about_seq ?? content_seq,
    bytes,
    turn,
    returned: (before?.returned ?? 0) + 1,
    tool_calls: before?.tool_calls ?? 0,
    ...credentialsLabel(before),
    ...limitsOf({ limits }),
  };
  return {
    ...state,
    lifecycle: { name: "WAITING_FOR_INPUT" },
    prompts: { ...prompts, queue: [prompt, ...prompts.queue] },
  };
};

/** The prompt carried everything that the agent had to be told before it. */
export const delivered = (state: State): State => ({
  ...inTurn(state, (turn) => ({ ...turn, delivery: { kind: "delivered" } })),
  prompts: {
    ...state.prompts,
    before_next: { inject: false, forgotten: 0, brief: false },
  },
});

/** Somebody decided what becomes of a prompt whose turn was cut off. */
export const resolved = (
  state: State,
  { prompt_id, action, by }: EventDataOf<"session.prompt.resolved">,
): State => {
  const { prompts } = state;
  const cut = prompts.unresolved.find(({ id }) => id === prompt_id);
  // Going on after a quota was filled again is no sign that the turn itself goes wrong.
  const isForQuota = cut?.kind === "interrupted" && cut.not_before !== null;
  const isContinued = action === "continue" && cut !== undefined && !isForQuota;
  return {
    ...state,
    prompts: {
      ...prompts,
      unresolved: prompts.unresolved.filter(({ id }) => id !== prompt_id),
      // It is about the same prompt as the one that it replaces.
      replacement:
        by === null || cut === undefined
          ? null
          : {
              id: by,
              about_seq: cut.about_seq,
              // What goes on with a turn shares its limit; what is sent again begins anew.
              tool_calls: action === "continue" ? cut.tool_calls : 0,
            },
      continuations: prompts.continuations + (isContinued ? 1 : 0),
    },
  };
};
