/** Prompts that wait. Each names the event that holds its content, so that a snapshot need not (STO-40). */
import { sizeOf } from "../../contract/content.ts";
import type { EventOf } from "../../contract/event.ts";
import { labelOf, turnIn } from "../state/change.ts";
import type { State } from "../state/state.ts";

export const queued = (
  state: State,
  { seq: content_seq, data }: EventOf<"session.prompt.queued">,
): State => {
  const { prompt_id: id, content, not_with_epoch } = data;
  const { replacement } = state;
  const prompt = {
    id,
    content,
    content_seq,
    about_seq: replacement?.id === id ? replacement.about_seq : content_seq,
    bytes: sizeOf(content),
    turn: null,
    returned: 0,
    ...(not_with_epoch !== undefined && { not_with_epoch }),
    ...labelOf(data),
  };
  return {
    ...withKnown(state, data),
    replacement: null,
    queue: [...state.queue, prompt],
  };
};

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

/** Who resumes after a start that failed answers for what waits. */
export const withLent = (
  state: State,
  credentials: string | undefined,
): State =>
  credentials === undefined
    ? state
    : {
        ...state,
        queue: state.queue.map((prompt) =>
          prompt.credentials === undefined
            ? prompt
            : { ...prompt, credentials },
        ),
      };

/** The agent never took it: it waits again, before the others. */
export const requeued = (
  state: State,
  {
    seq: content_seq,
    data: { prompt_id: id, content, turn },
  }: EventOf<"session.prompt.requeued">,
): State => {
  const { queue } = state;
  const bytes = sizeOf(content);
  const before = turnIn(state);
  const prompt = {
    id,
    content,
    content_seq,
    about_seq: before?.about_seq ?? content_seq,
    bytes,
    turn,
    returned: (before?.returned ?? 0) + 1,
    ...labelOf(before),
  };
  return {
    ...state,
    lifecycle: { name: "WAITING_FOR_INPUT" },
    queue: [prompt, ...queue],
  };
};
