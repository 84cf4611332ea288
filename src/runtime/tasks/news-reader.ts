/**
 * Tells tasks what happens in their sessions.
 *
 *   a session's commit makes news ─► row in the store, in the same transaction
 *                                      │ read: at the commit, and at the start for what an earlier server left
 *                                      ▼
 *   the events since ─► session.observe ─► the task's journal ─► the row goes
 *
 * A crash anywhere leaves the row, and telling a task the same again changes nothing (TSK-2).
 */
import type { SessionId } from "../../contract/base/id.ts";
import { Lanes } from "../../kit/time/lanes.ts";
import type { Later } from "../../kit/time/later.ts";
import { placeOf } from "../../session/state/place.ts";
import { runBeside } from "../reactors/beside-intents.ts";
import type { Log } from "../ports/home.ts";
import type { Store } from "../ports/store.ts";
import type { TaskNews } from "../ports/task-store.ts";
import type { Engine, SessionCommits } from "../sessions/session-journal.ts";
import {
  promptOver,
  type PromptOver,
  sessionNews,
  type Untold,
} from "./session-news.ts";
import { unlessLost, unlessUnknown } from "./unless-lost.ts";
import type { TaskEngine } from "./task-journal.ts";

/** So many are read side by side. */
const PAGE = 8;
const EVENTS_PAGE = 1000;

interface Deps {
  store: Store;
  sessions: Engine;
  commits: SessionCommits;
  tasks: TaskEngine;
  later: Later;
  log: Log;
}

export class NewsReader {
  readonly #deps: Deps;
  readonly #lanes = new Lanes();
  readonly #leave: () => void;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#leave = deps.commits.onAny(({ id, derived }) => {
      if (derived.news) void this.hear(id);
    });
  }

  /** What an earlier server left. */
  async readAll(): Promise<void> {
    const { store } = this.#deps;
    let after: SessionId | null = null;
    do {
      const page: TaskNews[] = await store.allTaskNews(after, PAGE);
      await Promise.all(page.map((row) => this.hear(row.session_id)));
      after = page.length < PAGE ? null : (page.at(-1)?.session_id ?? null);
    } while (after !== null && !this.#closed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    await this.#lanes.drain();
  }

  /** Tells the task of a session what it was not told. What fails is tried again. */
  async hear(session: SessionId): Promise<void> {
    if (this.#closed) return;
    await runBeside(this.#deps, {
      of: { session_id: session },
      failed: "could not tell a task what happened in its session",
      run: () => this.#lanes.run(session, () => this.#read(session)),
      again: () => void this.hear(session),
    });
  }

  /** Where several commits made news meanwhile, the first reading finds it all, and the others nothing. */
  async #read(session: SessionId): Promise<void> {
    const { store, sessions, tasks } = this.#deps;
    const news = await store.taskNews(session);
    if (news === null) return;
    await unlessLost({ tasks }, news.task_id, session, async () => {
      const state = await sessions.state(session);
      // Up to what the state knows, which may be more than the note says.
      const untold = await this.#untold({ ...news, to_seq: state.seq });
      await tasks
        .issue(news.task_id, {
          type: "session.observe",
          news: sessionNews(state, untold),
        })
        .catch(unlessUnknown);
      await sessions.writeAt(placeOf(state), (place) =>
        store.forgetTaskNews(place, session, state.seq),
      );
    });
  }

  /** What these events tell. */
  async #untold({ session_id, from_seq, to_seq }: TaskNews): Promise<Untold> {
    const over: PromptOver[] = [];
    let resumed = false;
    let after = from_seq - 1;
    while (after < to_seq) {
      const limit = Math.min(EVENTS_PAGE, to_seq - after);
      const page = await this.#deps.store.events(session_id, after, limit);
      const last = page.at(-1);
      if (last === undefined) break;
      over.push(...page.flatMap((event) => promptOver(event) ?? []));
      resumed ||= page.some(({ type }) => type === "session.resumed");
      after = last.seq;
    }
    return { over, resumed };
  }
}
