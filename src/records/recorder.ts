/** Keeps the readable files of every active session current by following what is committed. */
import { join } from "node:path";
import type { Event } from "../contract/event.ts";
import type { SessionId } from "../contract/id.ts";
import type { Session } from "../contract/session.ts";
import type { Log, Store } from "../runtime/ports.ts";
import { SessionDirectory } from "./directory.ts";
import type { Page } from "./scribe.ts";
import { Scribe } from "./scribe.ts";

/** Documents are rewritten at most this often while a session is busy. */
const EVERY_MS = 500;
const PAGE = 1000;

interface Kept {
  scribe: Scribe;
  directory: SessionDirectory;
  /** The last event in the files. */
  seq: number;
  waiting: Event[];
  session: Session;
  work: Promise<void> | null;
  documents: NodeJS.Timeout | null;
}

export class Recorder {
  readonly #root: string;
  readonly #store: Store;
  readonly #log: Log;
  readonly #kept = new Map<SessionId, Kept>();

  constructor(parts: { root: string; store: Store; log: Log }) {
    this.#root = parts.root;
    this.#store = parts.store;
    this.#log = parts.log;
  }

  record(events: readonly Event[], session: Session): void {
    const kept = this.#kept.get(session.id) ?? this.#open(session);
    kept.session = session;
    kept.waiting.push(...events);
    kept.work ??= this.#work(kept);
  }

  /** Resolves when the files say all that was recorded. */
  async drain(): Promise<void> {
    for (;;) {
      const kept = [...this.#kept.values()];
      for (const each of kept)
        if (each.documents !== null && each.work === null)
          each.work = this.#work(each, true);
      const busy = kept.flatMap(({ work }) => work ?? []);
      if (busy.length === 0) return;
      await Promise.all(busy);
    }
  }

  #open(session: Session): Kept {
    const kept: Kept = {
      scribe: new Scribe(),
      directory: new SessionDirectory(join(this.#root, session.id)),
      seq: 0,
      waiting: [],
      session,
      work: null,
      documents: null,
    };
    this.#kept.set(session.id, kept);
    return kept;
  }

  async #work(kept: Kept, documents = false): Promise<void> {
    try {
      if (kept.seq === 0) await this.#catchUp(kept);
      while (kept.waiting.length > 0) await this.#append(kept);
      if (documents || isAtRest(kept.session)) await this.#documents(kept);
      else kept.documents ??= setTimeout(() => this.#due(kept), EVERY_MS);
    } catch (error) {
      // The journal has it all: the files are made anew at the next event.
      this.#log.warn(
        { session_id: kept.session.id, err: error },
        "could not write a session's files",
      );
      this.#drop(kept);
    } finally {
      kept.work = null;
    }
    if (kept.waiting.length > 0) kept.work = this.#work(kept);
    else if (isAtRest(kept.session)) this.#drop(kept);
  }

  #due(kept: Kept): void {
    kept.documents = null;
    kept.work ??= this.#work(kept, true);
  }

  /** Makes the files anew from the journal, up to where the waiting events begin. */
  async #catchUp(kept: Kept): Promise<void> {
    const first = kept.waiting[0]?.seq ?? 1;
    const pages: Page[] = [];
    while (kept.seq < first - 1) {
      const events = await this.#store.events(kept.session.id, kept.seq, PAGE);
      if (events.length === 0) break;
      for (const event of events.filter(({ seq }) => seq < first)) {
        pages.push(kept.scribe.write(event));
        kept.seq = event.seq;
      }
    }
    await kept.directory.rewrite(bind(pages));
  }

  async #append(kept: Kept): Promise<void> {
    const events = kept.waiting.splice(0);
    const pages: Page[] = [];
    for (const event of events) {
      if (event.seq <= kept.seq) continue;
      pages.push(kept.scribe.write(event));
      kept.seq = event.seq;
    }
    await kept.directory.append(bind(pages));
  }

  async #documents(kept: Kept): Promise<void> {
    if (kept.documents !== null) clearTimeout(kept.documents);
    kept.documents = null;
    await kept.directory.documents(
      kept.session,
      kept.scribe.conversation.messages,
    );
  }

  #drop(kept: Kept): void {
    if (kept.documents !== null) clearTimeout(kept.documents);
    if (this.#kept.get(kept.session.id) === kept)
      this.#kept.delete(kept.session.id);
  }
}

/** No agent: nothing more is expected, so nothing is kept in memory. */
const isAtRest = (session: Session): boolean =>
  session.agent_execution_id === null && session.state !== "STARTING";

const bind = (pages: readonly Page[]): Page => ({
  log: pages.map(({ log }) => log).join(""),
  history: pages.map(({ history }) => history).join(""),
});
