/**
 * The messages of one turn as they are finished, over as many connections and servers as it takes.
 *
 *   queued ──► turn.started ──► messages … ──► turn.ended ──► end
 *                    ▲              └──► cut off ──► continued by another prompt ──┐   nobody continues it ──► end
 *                    └─────────────────────────────────────────────────────────────┘
 */
import type { Event, EventOf } from "../../contract/event/event.ts";
import { PromptId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import {
  emptyConversation,
  endsText,
  project,
} from "../../session/view/project.ts";
import type { Client } from "../client.ts";
import { patiently } from "../patiently.ts";
import {
  afterEvent,
  noPrompts,
  type Prompts,
  promptsOf,
  withQueued,
  withView,
} from "../prompt/prompt-phases.ts";
import {
  isOpen,
  needsView,
  newestPrompt,
  statusOf,
} from "../prompt/prompt-status.ts";
import { beginOf } from "../turn/turn-record.ts";

export async function* turnMessages(
  client: Client,
  session: string,
  promptId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, undefined> {
  const begin = await patiently(signal, () =>
    whereItBegins(client, session, promptId),
  );
  if (begin === null) return;
  const prompt = PromptId.parse(promptId);
  let { prompts } = begin;
  if (!isOpen(statusOf(prompts, prompt))) return;
  const finished = new FinishedMessages();
  if (begin.turn !== null) finished.of(begin.turn);
  const feed = client.follow(session, {
    after: begin.after,
    ...(signal !== undefined && { signal }),
  });
  for await (const event of feed) {
    if (isTurnOf(event, newestPrompt(prompts, prompt)))
      finished.of(event.data.turn);
    yield* finished.take(event);
    prompts = afterEvent(prompts, event);
    if (needsView(prompts, prompt))
      prompts = withView(
        prompts,
        await patiently(signal, () => client.showSession(session)),
      );
    if (!isOpen(statusOf(prompts, prompt))) break;
  }
  signal?.throwIfAborted();
  yield* finished.rest();
}

const isTurnOf = (
  event: Event,
  prompt: PromptId,
): event is EventOf<"session.turn.started"> =>
  event.type === "session.turn.started" && event.data.prompt_id === prompt;

interface Beginning {
  after: number;
  /** Null while the prompt waits for it. */
  turn: number | null;
  /** How the prompts stood at `after`. */
  prompts: Prompts;
}

/** From which event on the turn is told; null where there will be none. */
const whereItBegins = async (
  client: Client,
  session: string,
  promptId: string,
): Promise<Beginning | null> => {
  // The session first: a prompt that waits after this begins its turn behind the last event.
  const view = await client.showSession(session);
  const { id, turn, state } = await client.showPrompt(session, promptId);
  if (turn !== null) {
    const after = await beginOf(client, session, turn);
    return { after, turn, prompts: withQueued(noPrompts, id) };
  }
  return state === "queued"
    ? { after: view.last_seq, turn, prompts: promptsOf(view) }
    : null;
};

/** Holds messages back until nothing is added to them any more, and keeps their order. */
class FinishedMessages {
  readonly #conversation = emptyConversation();
  /** Whose messages they are: others go by. */
  readonly #turns = new Set<number>();
  #given = 0;

  of(turn: number): void {
    this.#turns.add(turn);
  }

  *take(event: Event): Generator<Message> {
    const changed = project(this.#conversation, event);
    if (changed !== null || endsText(event))
      yield* this.#give((message, isNewest) => {
        if (message.role === "tool") return isOver(message);
        return (
          !isNewest ||
          message.role === "notice" ||
          (endsText(event) && !begins(event, message))
        );
      });
  }

  /** The turn is over: what is there is all there will be. */
  *rest(): Generator<Message> {
    yield* this.#give(() => true);
  }

  *#give(
    isFinished: (message: Message, isNewest: boolean) => boolean,
  ): Generator<Message> {
    const { messages } = this.#conversation;
    for (;;) {
      const next = messages[this.#given];
      if (next === undefined) return;
      if (!isFinished(next, this.#given === messages.length - 1)) return;
      this.#given += 1;
      if (next.role !== "user" && this.#turns.has(next.turn)) yield next;
    }
  }
}

/** A message is not ended by the event that begins it. */
const begins = (event: Event, { id }: Message): boolean =>
  event.type === "session.message.added" && event.data.message.id === id;

const isOver = ({ tool }: Message): boolean =>
  tool?.status === "completed" ||
  tool?.status === "failed" ||
  tool?.status === "interrupted";
