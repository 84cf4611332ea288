/**
 * Has sessions go on whose time has come (`due_at`). Nothing is held in memory for those that wait: the store finds them,
 * also those that an earlier server left.
 */
import type { SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import { attentionOf } from "../../session/state/attention.ts";
import { continuationOf } from "../../session/state/continuation.ts";
import type { CommitFeed } from "../journal/commit-feed.ts";
import type { Engine } from "../journal/engine.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { Clock, Ids, Log } from "../ports/home.ts";
import type { DueSession, Store } from "../ports/store.ts";
import { continueTurn } from "../reactors/go-on.ts";
import { isDamage } from "../failures/session-damaged.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";

const EVERY_MS = 1000;
const PAGE = 100;

interface Parts {
  store: Store;
  engine: Engine;
  commits: CommitFeed;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Sees to it that the agent of a session, if it has one, is listened to. */
  touch: (session: SessionId) => Promise<void>;
}

export class DueWatch {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  readonly #leave: () => void;
  /** Those that became due to go on under this server; null when those of earlier servers are looked after, too. */
  #own: Set<SessionId> | null = new Set();
  /** Which event was a session's last when it was woken: what did not help then does not help now. */
  #tried = new Map<SessionId, number>();
  #underWay: Promise<void> | null = null;
  #isFailing = false;
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#lookSoon(), EVERY_MS);
    this.#timer.unref();
    this.#leave = parts.commits.onAny(({ after }) => {
      if (attentionOf(after).due_at !== null) this.#own?.add(after.id);
    });
  }

  /** From now on also those that earlier servers left. */
  lookAfterAll(): void {
    this.#own = null;
    this.#leave();
    this.#lookSoon();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#leave();
    await this.#underWay;
  }

  #lookSoon(): void {
    if (this.#closed) return;
    this.#underWay ??= this.#look()
      .then(() => {
        this.#isFailing = false;
      })
      .catch((error: unknown) => {
        // The next look may well find the same.
        if (!this.#isFailing && !isStorageTrouble(error))
          this.#parts.log.error(
            { err: error },
            "could not look for sessions that are due",
          );
        this.#isFailing = true;
      })
      .finally(() => {
        this.#underWay = null;
      });
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.now().toISOString();
    const tried = new Map<SessionId, number>();
    let after: DueSession | null = null;
    do {
      const page: DueSession[] = await store.due(now, after, PAGE);
      await Promise.all(
        page.map(async ({ session_id }) => {
          if (this.#closed || this.#own?.has(session_id) === false) return;
          const seq = await this.#wake(session_id, now);
          if (seq !== null) tried.set(session_id, seq);
        }),
      );
      after = page.length < PAGE ? null : (page.at(-1) ?? null);
    } while (after !== null && !this.#closed);
    this.#tried = tried;
  }

  /** The number of the event up to which no other try helps; null when it is to be tried again. */
  async #wake(session: SessionId, now: string): Promise<number | null> {
    const { log } = this.#parts;
    const before = this.#tried.get(session);
    if (before === GIVEN_UP) return GIVEN_UP;
    try {
      return await this.#goOn(session, now, before);
    } catch (error) {
      if (isLinkLost(error) || isStorageTrouble(error)) return null;
      if (!isDamage(error) && !isSessionGone(error))
        log.error(
          { session_id: session, err: error },
          "could not continue a turn",
        );
      return GIVEN_UP;
    }
  }

  async #goOn(
    session: SessionId,
    now: string,
    before: number | undefined,
  ): Promise<number> {
    const { store, engine, touch } = this.#parts;
    const state = await engine.state(session);
    if (state.seq === before) return before;
    const attention = attentionOf(state);
    const { due_at } = attention;
    const continuation = continuationOf(state);
    // An older release, or one that wrote less, may have left a row that is not true.
    if (continuation === null || due_at === null || due_at > now) {
      await store.attend(engine.term, session, state.seq, attention);
      return state.seq;
    }
    await touch(session);
    try {
      await continueTurn(this.#parts, session, continuation.prompt_id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return state.seq;
  }
}

/** Behind whatever comes: it is damaged, gone, or something went wrong that nobody foresaw. */
const GIVEN_UP = Infinity;

/** Someone else has decided about it meanwhile, or it cannot be now. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RepriseError &&
  !isLinkLost(error) &&
  !isStorageTrouble(error) &&
  !isDamage(error);
