/**
 * One session on this connection: everything that happens in it is told to the client, in order and once, and what the client
 * asks of it waits here for its outcome.
 *
 *   attach(from)   the journal up to `from`: folded, not told
 *                  from there to its end: told, in a replay condensed
 *   follow         from then on, event by event
 */
import type {
  PromptResponse,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { setMaxListeners } from "node:events";
import { cancelPrompt } from "../client/prompt/cancel-prompt.ts";
import type { Client } from "../client/client.ts";
import type { Permission } from "../contract/agent/permission.ts";
import type { ContentBlock } from "../contract/base/content.ts";
import type { PromptId, SessionId } from "../contract/base/id.ts";
import type { Event } from "../contract/event/event.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { within } from "../kit/time/deadline.ts";
import type { CursorFile } from "./cursor-file.ts";
import { PromptWaits } from "./prompt-waits.ts";
import { Condenser } from "./translate/condense.ts";
import { failureOf } from "./translate/failure.ts";
import { HeldPrompts } from "./translate/held.ts";
import { broken, stopped } from "./translate/outcome.ts";
import { questionOf } from "./translate/permission.ts";
import { changesChoices } from "./translate/passed-on.ts";
import { nothingTold, type Told, updatesOf } from "./translate/updates.ts";

/** The client as a session needs it. */
export interface Audience {
  notices: boolean;
  /** `written` is called once the client has it. */
  tell(update: SessionUpdate, written: () => void): Promise<void>;
  ask(
    question: ReturnType<typeof questionOf>,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** The agent has other choices than before, maybe. */
  choicesChanged(): Promise<void>;
  /** Nothing more is heard of the session. */
  lost(): void;
}

export interface AttachOptions {
  /** The last event that the client was told. */
  from: number;
  /** Also the prompts that the client sent itself. */
  isReplay: boolean;
}

export class Attachment {
  readonly #client: Client;
  readonly #id: SessionId;
  readonly #audience: Audience;
  readonly #file: CursorFile | null;
  readonly #waits: PromptWaits;
  readonly #held = new HeldPrompts();
  readonly #own = new Set<PromptId>();
  readonly #questions = new Map<string, AbortController>();
  /** Prompts that are being queued: what happens meanwhile may be about them. */
  readonly #queueing = new Set<Promise<unknown>>();
  #told: Told = nothingTold();
  #seq = 0;
  #newestPrompt: PromptId | null = null;
  #following: { stop: AbortController; ended: Promise<void> } | null = null;

  constructor(
    client: Client,
    id: SessionId,
    audience: Audience,
    file: CursorFile | null,
  ) {
    this.#client = client;
    this.#id = id;
    this.#audience = audience;
    this.#waits = new PromptWaits(() =>
      client.showSession(id).catch(() => null),
    );
    this.#file = file;
  }

  /** The client sent this one before, over another connection. */
  own(prompt: PromptId): void {
    this.#own.add(prompt);
    this.#newestPrompt = prompt;
  }

  /** Nothing was told yet, and nothing happened before. */
  begin(): void {
    this.#reached(0);
  }

  /** Brings the client up to now. `follow` goes on from there. */
  async attach({ from, isReplay }: AttachOptions): Promise<void> {
    await this.#stopFollowing();
    const taken = this.#seq;
    const { last_seq } = await this.#client.showSession(this.#id);
    this.#told = nothingTold();
    const condenser = new Condenser();
    for await (const event of this.#events(last_seq)) {
      const updates = this.#updates(event, isReplay);
      if (event.seq > taken) await this.#settle(event);
      this.#held.mayHold(event);
      if (isReplay)
        await this.#tell(updates.flatMap((it) => condenser.add(it)));
      else if (event.seq > from) await this.#tell(updates, event.seq);
      else updates.filter(isLasting).forEach((it) => condenser.add(it));
    }
    await this.#tell(condenser.end());
    this.#reached(Math.max(last_seq, taken));
  }

  /** Tells everything from now on, and asks what waits for an answer. */
  follow(): void {
    if (this.#following !== null) return;
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    this.#following = { stop, ended: this.#follow(stop.signal) };
    for (const permission of this.#told.pending.values()) this.#ask(permission);
  }

  /** Resolves when the prompt is durable; its response when its turn has ended. */
  async queue(
    content: ContentBlock[],
    caller: { caller_env?: Record<string, string> },
  ): Promise<{ response: Promise<PromptResponse> }> {
    const registered = this.#register(content, caller);
    this.#queueing.add(registered);
    try {
      return await registered;
    } finally {
      this.#queueing.delete(registered);
    }
  }

  /** Cancels what the client waits for, and the turn in progress. */
  async cancel(): Promise<void> {
    await Promise.allSettled(this.#queueing);
    // The newest first: behind a turn that was cancelled the next prompt would begin.
    for (const prompt of this.#waits.prompts.toReversed())
      await cancelPrompt(this.#client, this.#id, prompt).catch(ignore);
    await cancelTurn(this.#client, this.#id);
  }

  /** Resolves when the client waits for no prompt any more, or after a while. */
  async idle(ms: number): Promise<void> {
    await within("the turn", ms, this.#waits.drained()).catch(ignore);
  }

  async close(): Promise<void> {
    await this.#stopFollowing();
    this.#waits.settleAll(stopped("cancelled"));
    this.#file?.close();
  }

  async #register(
    content: ContentBlock[],
    caller: { caller_env?: Record<string, string> },
  ): Promise<{ response: Promise<PromptResponse> }> {
    const key = crypto.randomUUID();
    const body = { content, ...caller };
    const { id } = await this.#client.queuePrompt(this.#id, body, { key });
    this.own(id);
    this.#reached(this.#seq);
    return { response: this.#waits.wait(id) };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const event of this.#client.follow(this.#id, {
        after: this.#seq,
        signal,
        retry: RETRY,
      })) {
        await Promise.allSettled(this.#queueing);
        if (signal.aborted) return;
        await this.#take(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#waits.settleAll(broken(failureOf(error, this.#id)));
      this.#file?.close();
      this.#audience.lost();
    }
  }

  async #take(event: Event): Promise<void> {
    await this.#tell(this.#updates(event, false), event.seq);
    this.#seq = event.seq;
    await this.#settle(event);
    await this.#tellHeld(event);
    this.#questionsAfter(event);
    // The next start of the agent tells them again, where nobody can be asked now.
    if (mayChangeChoices(event))
      await this.#audience.choicesChanged().catch(ignore);
  }

  /** The number of the event is written down with the last word of it, or it would be told twice after a crash. */
  async #tell(updates: readonly SessionUpdate[], seq?: number): Promise<void> {
    for (const [index, update] of updates.entries()) {
      const isLast = index === updates.length - 1;
      await this.#audience.tell(update, () => {
        if (isLast && seq !== undefined) this.#reached(seq);
      });
    }
  }

  async #tellHeld(event: Event): Promise<void> {
    const own = this.#waits.prompts;
    if (!this.#held.mayHold(event) || own.length === 0) return;
    // Where nobody can be asked, the answer of the prompt still comes.
    const session = await this.#client.showSession(this.#id).catch(ignore);
    if (session === undefined) return;
    const { notices } = this.#audience;
    const { seq } = event;
    await this.#tell(this.#held.updates(session, own, { seq, notices }), seq);
  }

  #updates(event: Event, isReplay: boolean): SessionUpdate[] {
    // The client was told so in words about its own prompt.
    if (!isReplay && this.#held.isTold && isAboutWaiting(event)) return [];
    return updatesOf(this.#told, event, {
      notices: this.#audience.notices,
      isOwn: (prompt) => !isReplay && this.#own.has(prompt),
    });
  }

  async #settle(event: Event): Promise<void> {
    for (const prompt of await this.#waits.take(event))
      await this.#client.cancelPrompt(this.#id, prompt).catch(ignore);
  }

  #questionsAfter(event: Event): void {
    switch (event.type) {
      case "session.permission.requested": {
        const { permission } = event.data;
        if (this.#told.pending.has(permission.id)) this.#ask(permission);
        return;
      }
      case "session.permission.answered":
      case "session.permission.closed":
        this.#questions.get(event.data.id)?.abort();
        return;
      default:
    }
  }

  /** The turn waits for the answer, and nothing else does. */
  #ask(permission: Permission): void {
    if (this.#questions.has(permission.id)) return;
    const open = new AbortController();
    this.#questions.set(permission.id, open);
    void this.#answer(permission, open.signal)
      // It stays pending: somebody may answer it elsewhere, or here after the session was opened again.
      .catch(ignore)
      .finally(() => this.#questions.delete(permission.id));
  }

  async #answer(permission: Permission, signal: AbortSignal): Promise<void> {
    const question = questionOf(this.#id, permission, this.#told);
    const { outcome } = await this.#audience.ask(question, signal);
    if (outcome.outcome !== "selected" || signal.aborted) return;
    await this.#client.answerPermission(
      this.#id,
      permission.id,
      outcome.optionId,
      { key: crypto.randomUUID() },
    );
  }

  #reached(seq: number): void {
    this.#seq = seq;
    this.#file?.write({ seq, prompt: this.#newestPrompt });
  }

  async *#events(until: number): AsyncGenerator<Event, void, undefined> {
    for (let after = 0; after < until;) {
      const page = await this.#client.listEvents(this.#id, {
        after,
        limit: Math.min(PAGE, until - after),
      });
      yield* page.events;
      after = page.events.at(-1)?.seq ?? until;
    }
  }

  async #stopFollowing(): Promise<void> {
    const following = this.#following;
    this.#following = null;
    following?.stop.abort();
    await following?.ended;
    for (const open of this.#questions.values()) open.abort();
    this.#questions.clear();
  }
}

/** Where none is in progress, there is nothing to cancel. */
export const cancelTurn = (client: Client, id: SessionId): Promise<void> =>
  client.cancelTurn(id, { key: crypto.randomUUID() }).then(ignore, isAtRest);

/** A session that has ended, or whose agent does not run, has nothing to cancel and nothing to pause. */
export const isAtRest = (error: unknown): void => {
  if (!(error instanceof RepriseError)) throw error;
  if (error.code !== "session_ended" && error.code !== "wrong_state")
    throw error;
};

const isAboutWaiting = (event: Event): boolean =>
  event.type === "session.notice" && event.data.code === "prompts_wait";

const PAGE = 1000;

/** Where no server runs, that costs the look at a file; the client's next prompt starts one, and its turn is told soon. */
const RETRY = { first_ms: 100, most_ms: 1000 };

const ignore = (): void => undefined;

/** What still counts, however long ago it was told: an editor that was started anew does not know it. */
const isLasting = ({ sessionUpdate }: SessionUpdate): boolean =>
  sessionUpdate === "available_commands_update";

const mayChangeChoices = (event: Event): boolean =>
  event.type === "session.agent.ready" ||
  event.type === "session.definition.changed" ||
  (event.type === "session.agent.update" && changesChoices(event.data.update));
