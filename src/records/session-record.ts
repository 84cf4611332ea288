import type { Event } from "../contract/event/event.ts";
import type { Session } from "../contract/session/session.ts";
import type { Gate } from "../kit/time/gate.ts";
import type { Store } from "../runtime/ports/store.ts";
import type { RecordLimits } from "./limits.ts";
import { SessionFiles } from "./session-files.ts";

/** The conversation is written this often while words come; readers are promised once a second. */
const WORDS_EVERY_MS = 750;
/** Words are gathered for so long before they are written: a model says twenty a second. */
const GATHER_MS = 200;
/** The short documents, as long as nothing but words is new. */
const DETAILS_EVERY_MS = 5000;
/** What failed twice in a row is not tried again with every event. */
const RETRY_AFTER_MS = 5000;
const PAGE = 1000;
/** When the disk is slow, more than this is not held in memory: it is read from the journal. */
const MAX_WAITING = 5000;

export interface RecordParts {
  directory: string;
  limits: RecordLimits;
  store: Pick<Store, "events">;
  /** Sessions give out their documents one after the other: many at once would hold up what they stream. */
  gate: Gate;
  onWritten(): void;
  onFailed(error: unknown): void;
  /** No agent runs and nothing is left to do: this record may be forgotten. */
  onRest(): void;
}

/** When the files of one session are written: by one loop, so never by two at a time. */
export class SessionRecord {
  readonly #parts: RecordParts;
  #session: Session;
  #waiting: Event[] = [];
  #files: SessionFiles | null = null;
  #work: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #gathering: NodeJS.Timeout | null = null;
  #hurry = false;
  /** What was written last, and when. */
  #written = { seq: 0, state: "", at: -Infinity, detailsAt: -Infinity };
  #failures = { inARow: 0, at: -Infinity };

  constructor(parts: RecordParts, session: Session) {
    this.#parts = parts;
    this.#session = session;
  }

  record(events: readonly Event[], session: Session): void {
    this.#session = session;
    if (this.#waiting.length + events.length > MAX_WAITING) this.#waiting = [];
    else for (const event of events) this.#waiting.push(event);
    if (this.#isInTheMiddle) this.#gather();
    else this.#stir();
  }

  /** Resolves when the files say all that was recorded, or could not be written. */
  async flush(): Promise<void> {
    this.#hurry = true;
    await this.#work;
    if (!this.#isCurrent) this.#stir();
    await this.#work;
    this.#hurry = false;
    this.#stopTimers();
  }

  #stir(): void {
    if (this.#work !== null) return;
    if (this.#mayTry()) this.#work = this.#run();
    else this.#waiting = [];
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#stir();
    }, GATHER_MS);
  }

  async #run(): Promise<void> {
    this.#stopTimers();
    await this.#attempt();
    // Files that someone else touched are made anew at once.
    if (this.#failures.inARow === 1) await this.#attempt();
    this.#work = null;
    if (this.#files !== null && this.#files.seq < this.#session.last_seq)
      this.#stir();
    else if (isAtRest(this.#session)) this.#parts.onRest();
    else if (!this.#isCurrent) this.#startTimer();
  }

  async #attempt(): Promise<void> {
    try {
      for (;;) {
        const files = await this.#catchUp();
        if (this.#isDue(files)) await this.#give(files);
        // They may be further than we are: a server that took over writes them now.
        if (files.seq >= this.#session.last_seq) break;
      }
      this.#failures.inARow = 0;
    } catch (error) {
      // The journal has it all: the files go on from their last mark, or are made anew.
      await this.#files?.abandon().catch(() => undefined);
      this.#files = null;
      this.#waiting = [];
      this.#failures = {
        inARow: this.#failures.inARow + 1,
        at: performance.now(),
      };
      this.#parts.onFailed(error);
    }
  }

  /** Writes what was recorded: from memory where it follows on the files, else from the journal. */
  async #catchUp(): Promise<SessionFiles> {
    const { store, directory, limits } = this.#parts;
    this.#files ??= await SessionFiles.open(directory, this.#session, limits);
    const files = this.#files;
    while (files.seq < this.#session.last_seq) {
      const waiting = this.#takeWaiting(files.seq);
      if (waiting.length > 0) {
        await files.write(waiting);
        continue;
      }
      const page = await store.events(this.#session.id, files.seq, PAGE);
      if (page.length === 0)
        throw new Error(`the journal of ${this.#session.id} is incomplete`);
      await files.write(page);
      await files.settle();
    }
    return files;
  }

  /** What follows on the files. There may be gaps: a commit whose outcome was unknown is not published. */
  #takeWaiting(seq: number): Event[] {
    const known = this.#waiting.findIndex((event) => event.seq > seq);
    this.#waiting.splice(0, known === -1 ? this.#waiting.length : known);
    let count = 0;
    while (count < PAGE && this.#waiting[count]?.seq === seq + count + 1)
      count += 1;
    return this.#waiting.splice(0, count);
  }

  async #give(files: SessionFiles): Promise<void> {
    const leave = await this.#parts.gate.enter();
    try {
      const at = performance.now();
      const session = this.#session;
      await files.publishConversation(session);
      const detailsAt = this.#areDetailsDue(at) ? at : this.#written.detailsAt;
      if (detailsAt === at) await files.publishDetails(session);
      this.#written = { seq: files.seq, state: session.state, at, detailsAt };
    } finally {
      leave();
    }
    this.#parts.onWritten();
  }

  /** Of a turn of which readers know already. */
  get #isInTheMiddle(): boolean {
    const { state } = this.#session;
    return state === "RUNNING" && state === this.#written.state && !this.#hurry;
  }

  get #isCurrent(): boolean {
    return this.#written.seq >= this.#session.last_seq;
  }

  /** Words wait for their time; that a turn is over is shown at once. */
  #isDue(files: SessionFiles): boolean {
    if (files.seq === this.#written.seq) return false;
    return (
      this.#mustBeCurrent ||
      performance.now() - this.#written.at >= WORDS_EVERY_MS ||
      (this.#session.state !== this.#written.state && !isAtWork(this.#session))
    );
  }

  #areDetailsDue(now: number): boolean {
    return (
      this.#mustBeCurrent ||
      this.#session.state !== this.#written.state ||
      now - this.#written.detailsAt >= DETAILS_EVERY_MS
    );
  }

  #mayTry(): boolean {
    return (
      this.#mustBeCurrent ||
      this.#failures.inARow < 2 ||
      performance.now() - this.#failures.at >= RETRY_AFTER_MS
    );
  }

  get #mustBeCurrent(): boolean {
    return this.#hurry || isAtRest(this.#session);
  }

  #startTimer(): void {
    const due =
      this.#failures.inARow > 0
        ? this.#failures.at + RETRY_AFTER_MS
        : this.#written.at + WORDS_EVERY_MS;
    const wait = Math.max(0, due - performance.now());
    this.#timer = setTimeout(() => this.#stir(), wait);
  }

  #stopTimers(): void {
    for (const timer of [this.#timer, this.#gathering])
      if (timer !== null) clearTimeout(timer);
    this.#timer = null;
    this.#gathering = null;
  }
}

const isAtWork = (session: Session): boolean =>
  session.state === "RUNNING" || session.state === "STARTING";

/** No agent: nothing more is expected, so nothing is kept in memory. */
const isAtRest = (session: Session): boolean =>
  session.agent_execution_id === null && session.state !== "STARTING";
