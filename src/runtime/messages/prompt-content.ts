/** A prompt as it was given: its content, images and all, and its limits. The state names the event that holds them. */
import {
  limitsOf,
  type PromptLimits,
} from "../../contract/agent/prompt-limits.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type { PromptId, SessionId } from "../../contract/base/id.ts";
import type { Event } from "../../contract/event/event.ts";
import { contentOf } from "../../session/state/snapshot.ts";
import type { State } from "../../session/state/state.ts";
import type { Store } from "../ports/store.ts";

type Events = Pick<Store, "events">;

export const promptContent = async (
  store: Events,
  session: SessionId,
  seq: number,
): Promise<readonly ContentBlock[]> =>
  contentOf(await eventAt(store, session, seq));

/** What held for a turn that was cut off, and holds for the prompt that comes in its place. */
export const limitsOfCut = async (
  store: Events,
  { id: session, prompts: { unresolved } }: State,
  prompt: PromptId,
): Promise<{ limits?: PromptLimits }> => {
  const seq = unresolved.find(({ id }) => id === prompt)?.content_seq ?? 0;
  if (seq === 0) return {};
  const event = await eventAt(store, session, seq);
  return event.type === "session.prompt.queued" ||
    event.type === "session.prompt.requeued"
    ? limitsOf(event.data)
    : {};
};

const eventAt = async (
  store: Events,
  session: SessionId,
  seq: number,
): Promise<Event> => {
  const [event] = await store.events(session, seq - 1, 1);
  if (event?.seq !== seq)
    throw new Error(`event ${seq} of session ${session} was not read`);
  return event;
};
