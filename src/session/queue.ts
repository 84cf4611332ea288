/** Prompts that wait. Each names the event that holds its content, so that a snapshot need not (STO-40). */
import { sizeOf } from "../contract/content.ts";
import type { EventOf } from "../contract/event.ts";
import type { State } from "./state.ts";

export const queued = (
  state: State,
  {
    seq: content_seq,
    data: { prompt_id: id, content, not_with_epoch },
  }: EventOf<"session.prompt.queued">,
): State => {
  const prompt = {
    id,
    content,
    content_seq,
    bytes: sizeOf(content),
    turn: null,
    returned: 0,
    ...(not_with_epoch !== undefined && { not_with_epoch }),
  };
  return { ...state, queue: [...state.queue, prompt] };
};

/** The agent never took it: it waits again, before the others. */
export const requeued = (
  state: State,
  {
    seq: content_seq,
    data: { prompt_id: id, content, turn },
  }: EventOf<"session.prompt.requeued">,
): State => {
  const { lifecycle, queue } = state;
  const bytes = sizeOf(content);
  const before = lifecycle.name === "RUNNING" ? lifecycle.turn.returned : 0;
  const prompt = {
    id,
    content,
    content_seq,
    bytes,
    turn,
    returned: before + 1,
  };
  return {
    ...state,
    lifecycle: { name: "WAITING_FOR_INPUT" },
    queue: [prompt, ...queue],
  };
};
