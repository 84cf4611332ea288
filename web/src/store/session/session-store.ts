/**
 * An open session: its newest messages and its line from the server, the events behind them from the connection, shown once a frame.
 *
 *   window, session ─► view ─► line, status   each event ─► conversation, line ─► (frame) ─► view
 *      └────── follow from its seq ─────────►    └ what it makes out of date is asked for again: session, status
 */
import type {
  Calls,
  ConversationWindow,
} from "../../../../src/client/client.ts";
import type { ContentBlock } from "../../../../src/contract/base/content.ts";
import { contextOf } from "../../../../src/contract/base/usage.ts";
import type { Event } from "../../../../src/contract/event/event.ts";
import type {
  LineAnswer,
  Mark,
} from "../../../../src/contract/session/line.ts";
import type { RewindPlan } from "../../../../src/contract/session/checkpoint.ts";
import type { Prompt } from "../../../../src/contract/session/prompt.ts";
import {
  type ProblemCode,
  RepriseError,
} from "../../../../src/contract/problem/problem.ts";
import type {
  Session,
  SessionStatus,
} from "../../../../src/contract/session/session.ts";
import { standing } from "../../words/standing.ts";
import type { Connection } from "../connection.ts";
import type { Live } from "../live.ts";
import type { OpenSession, SessionView } from "../open-session.ts";
import type { Readable } from "../readable.ts";
import type { Scheduler } from "../scheduler.ts";
import type { PageSettings } from "../../../../src/contract/api/first-view.ts";
import { Value } from "../value.ts";
import { Conversation } from "./conversation.ts";
import { Latest } from "./latest.ts";
import { SessionActions } from "./session-actions.ts";
import { SessionLine } from "./session-line.ts";
import { Questions } from "./questions.ts";
import { changesSession, changesStatus } from "./session-news.ts";
import { turnViews } from "./turn-views.ts";

export interface SessionStoreDeps {
  client: Calls;
  readLine(id: string): Promise<LineAnswer>;
  live: Pick<Live, "follow">;
  connection: Readable<Connection>;
  scheduler: Scheduler;
  settings: Pick<PageSettings, "auto_resume" | "idle_minutes" | "trash_days">;
  agentName(agent: string): string;
  /** Somebody sees the end of it. */
  markSeen(session: Session): void;
  /** What was read or answered, for the lists. */
  onSession(session: Session): void;
}

/** What the view begins with. */
export interface Loaded {
  session: Session;
  status: SessionStatus | null;
  window: ConversationWindow;
}

/** A turn that goes on for long may be in trouble: nobody tells, so it is asked. */
const STATUS_EVERY_MS = 30_000;
const SECOND_MS = 1_000;
const EARLIER_MESSAGES = 200;
const NO_MARKS: readonly Mark[] = [];

export class SessionStore extends SessionActions implements OpenSession {
  readonly #deps: SessionStoreDeps;
  readonly #conversation: Conversation;
  /** Until it is there, events wait for it. */
  #line: SessionLine | null = null;
  #waiting: Event[] = [];
  readonly #view: Value<SessionView>;
  readonly #questions = new Questions();
  readonly #ended = new AbortController();
  readonly #latestSession: Latest;
  readonly #latestStatus: Latest;
  readonly #unsubscribe: () => void;
  #session: Session;
  #status: SessionStatus | null;
  #refusal: ProblemCode | null = null;
  #isLoadingEarlier = false;
  #hasResumed = false;
  #isResuming = false;
  #cancelFrame: (() => void) | null = null;
  #cancelTick: (() => void) | null = null;
  #cancelStatus: (() => void) | null = null;
  #wasAway = false;

  constructor(loaded: Loaded, deps: SessionStoreDeps) {
    super(deps.client, loaded.session.id);
    this.#deps = deps;
    this.#session = loaded.session;
    this.#status = loaded.status;
    this.#conversation = new Conversation(loaded.window);
    this.#latestSession = new Latest(async () =>
      this.take(await deps.client.showSession(this.id)),
    );
    this.#latestStatus = new Latest(async () =>
      this.#takeStatus(await deps.client.sessionStatus(this.id)),
    );
    this.#questions.show(loaded.session.pending_permissions);
    this.#view = new Value(this.#compute([]));
    this.#unsubscribe = deps.connection.subscribe(() => this.#reconnected());
    if (loaded.status === null) this.#askStatus();
    else this.#takeStatus(loaded.status);
  }

  get(): SessionView {
    return this.#view.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#view.subscribe(changed);
  }

  /** Takes all events from the window on. Ends when it is closed; throws where the server refuses for good. */
  async follow(after: number): Promise<void> {
    const { signal } = this.#ended;
    const events = this.#deps.live.follow(this.id, { after, signal });
    for await (const event of events) this.#takeEvent(event);
  }

  close(): void {
    this.#ended.abort();
    this.#unsubscribe();
    this.#cancelFrame?.();
    this.#cancelTick?.();
    this.#cancelStatus?.();
  }

  /** The line may be read later than the window: what it knows already does not count twice. */
  takeLine(answer: LineAnswer): void {
    this.#line = new SessionLine(answer);
    for (const event of this.#waiting) this.#line.take(event);
    this.#waiting = [];
    this.#show();
  }

  async loadEarlier(): Promise<void> {
    const { previous } = this.#conversation;
    if (previous === null || this.#isLoadingEarlier) return;
    this.#isLoadingEarlier = true;
    this.#show();
    try {
      const window = await this.#deps.client.showWindow(this.id, {
        before: previous,
        limit: EARLIER_MESSAGES,
      });
      this.#conversation.prepend(window);
    } finally {
      this.#isLoadingEarlier = false;
      this.#show();
    }
  }

  async prompt(content: readonly ContentBlock[], key: string): Promise<Prompt> {
    try {
      const prompt = await this.#deps.client.queuePrompt(
        this.id,
        { content: [...content] },
        { key },
      );
      this.#refusal = null;
      this.#questions.forget();
      this.#askSession();
      return prompt;
    } catch (error) {
      this.#refusal = error instanceof RepriseError ? error.code : null;
      throw error;
    } finally {
      this.#show();
    }
  }

  lineAfter(plan: RewindPlan): readonly Mark[] {
    const at = new Date(this.#deps.scheduler.now()).toISOString();
    const { turn, conversation, changes } = plan;
    return (
      this.#line?.after({ turn, conversation, files: changes.length, at }) ??
      NO_MARKS
    );
  }

  markSeen(): void {
    this.#deps.markSeen(this.#session);
    if (!this.#isLoadingEarlier && this.#conversation.forget()) this.#later();
  }

  override async permit(requestId: string, optionId: string): Promise<void> {
    await this.#questions.answer(requestId, () =>
      super.permit(requestId, optionId),
    );
  }

  forgetQuestion(): void {
    this.#questions.forget();
    this.#show();
  }

  /** A session as the server has just told it. */
  protected override take(session: Session): void {
    if (session.last_seq >= this.#session.last_seq) {
      this.#session = session;
      this.#questions.show(session.pending_permissions);
    }
    this.#deps.onSession(session);
    this.#later();
  }

  protected override async changed(): Promise<void> {
    await this.#latestSession.refresh();
  }

  #takeEvent(event: Event): void {
    this.#conversation.take(event);
    this.#questions.take(event);
    if (this.#line === null) this.#waiting.push(event);
    else this.#line.take(event);
    if (event.type === "session.usage") {
      const context = contextOf(event.data);
      this.#session = { ...this.#session, context };
    }
    if (changesSession(event)) this.#askSession();
    if (changesStatus(event)) this.#askStatus();
    this.#later();
  }

  #takeStatus(status: SessionStatus): void {
    this.#status = status;
    this.#later();
    this.#cancelStatus?.();
    this.#cancelStatus =
      status.state === "RUNNING" || status.state === "STARTING"
        ? this.#deps.scheduler.after(STATUS_EVERY_MS, () => this.#askStatus())
        : null;
    if (!this.#hasResumed && this.#shouldResume(status)) {
      this.#hasResumed = true;
      this.#isResuming = true;
      this.resume()
        // Where it fails, the session says so.
        .catch(() => undefined)
        .finally(() => {
          this.#isResuming = false;
          this.#later();
        });
    }
  }

  #shouldResume(status: SessionStatus): boolean {
    return (
      this.#deps.settings.auto_resume &&
      status.needs_resume &&
      status.is_resumable &&
      // A history as text is given to the agent with a prompt: nobody has asked for that by looking.
      status.resume_reason === "agent_not_running"
    );
  }

  /** What is pending is read again after every return of the server. */
  #reconnected(): void {
    const { kind } = this.#deps.connection.get();
    if (this.#wasAway && (kind === "connected" || kind === "back")) {
      this.#askSession();
      this.#askStatus();
    }
    this.#wasAway = kind === "away";
    this.#show();
  }

  #askSession(): void {
    this.#latestSession.refresh().catch(() => undefined);
  }

  #askStatus(): void {
    this.#latestStatus.refresh().catch(() => undefined);
  }

  #later(): void {
    this.#cancelFrame ??= this.#deps.scheduler.frame(() => {
      this.#cancelFrame = null;
      this.#show();
    });
  }

  #show(): void {
    if (this.#ended.signal.aborted) return;
    this.#conversation.flush();
    this.#view.set(this.#compute(this.#view.get().turns));
    this.#tick();
  }

  /** Words that count seconds are said again every second. */
  #tick(): void {
    this.#cancelTick?.();
    const { kind } = this.#view.get().standing;
    this.#cancelTick =
      kind === "starting" || kind === "away"
        ? this.#deps.scheduler.after(SECOND_MS, () => this.#show())
        : null;
  }

  #compute(before: SessionView["turns"]): SessionView {
    const { messages, times, told, plan, previous } = this.#conversation;
    const line = this.#line?.marks ?? NO_MARKS;
    const session = this.#session;
    const { settings, scheduler, connection } = this.#deps;
    return {
      session,
      status: this.#status,
      messages,
      hasEarlier: previous !== null,
      isLoadingEarlier: this.#isLoadingEarlier,
      turns: turnViews({ messages, line, times, told, before }),
      line,
      plan,
      usage: session.usage,
      context: session.context,
      permissions: session.pending_permissions,
      closedQuestion: this.#questions.closed,
      queue: session.queued_prompts,
      rewound: this.#conversation.rewound,
      isComingBack: this.#isResuming || session.state === "STARTING",
      standing: standing({
        session,
        status: this.#status,
        connection: connection.get(),
        agentName: this.#deps.agentName(session.agent),
        line,
        refusal: this.#refusal,
        startingSince: this.#conversation.startingSince,
        quietMinutes: this.#conversation.isIdle ? settings.idle_minutes : null,
        trashDays: settings.trash_days,
        now: scheduler.now(),
      }),
      connection: connection.get(),
    };
  }
}
