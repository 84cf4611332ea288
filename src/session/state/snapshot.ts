/**
 * The state as it rests in the store. What waits for the agent can be long and is in the journal already, so a snapshot
 * names the events that hold it (STO-40).
 */
import type { ContentBlock } from "../../contract/base/content.ts";
import type { Event } from "../../contract/event/event.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { State } from "./state.ts";
import { inTurn, runningTurn } from "./turns.ts";

export const writeState = (state: State): string =>
  JSON.stringify(mapContents(state, () => []));

/** Without the contents of prompts: `missingContents` names them, `withContents` puts them in. */
export const readState = (text: string): State => {
  const value: unknown = JSON.parse(text);
  if (!isState(value)) throw new Error("a snapshot that is no state");
  return value;
};

/** The events that hold what a state lacks when it was folded from a snapshot at this event. */
export const missingContents = (state: State, snapshot: number): number[] => {
  const seqs = state.prompts.queue.map(({ content_seq }) => content_seq);
  const turn = runningTurn(state);
  if (turn?.delivery.kind === "pending") seqs.push(turn.content_seq);
  return seqs.filter((seq) => seq <= snapshot);
};

/** The state with the contents of these events. All that `missingContents` names must be among them. */
export const withContents = (
  state: State,
  snapshot: number,
  events: readonly Event[],
): State => {
  const contents = new Map(
    events.map((event) => [event.seq, contentOf(event)]),
  );
  return mapContents(state, (seq, content) => {
    const read = contents.get(seq);
    if (read === undefined && seq <= snapshot)
      throw new Error(`event ${seq} of session ${state.id} was not read`);
    return read ?? content;
  });
};

/** The content of the prompt that an event holds. */
export const contentOf = (event: Event): readonly ContentBlock[] => {
  if (
    event.type === "session.prompt.queued" ||
    event.type === "session.prompt.requeued"
  )
    return event.data.content;
  throw new RepriseError(
    "storage_damaged",
    `Event ${event.seq} of session ${event.session_id} holds no prompt, and the state says that it does.`,
  );
};

const mapContents = (
  state: State,
  map: (
    seq: number,
    content: readonly ContentBlock[],
  ) => readonly ContentBlock[],
): State => {
  const queue = state.prompts.queue.map((prompt) => ({
    ...prompt,
    content: map(prompt.content_seq, prompt.content),
  }));
  const waiting = { ...state, prompts: { ...state.prompts, queue } };
  return inTurn(waiting, (turn) => {
    const { delivery, content_seq } = turn;
    if (delivery.kind === "delivered") return turn;
    const content = map(content_seq, delivery.content);
    return { ...turn, delivery: { ...delivery, content } };
  });
};

/** The version a snapshot is stored under vouches for its shape, so only its kind is looked at. */
const isState = (value: unknown): value is State =>
  typeof value === "object" &&
  value !== null &&
  "lifecycle" in value &&
  "seq" in value;
