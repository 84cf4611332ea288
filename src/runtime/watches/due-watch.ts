/**
 * Has sessions go on whose time has come (`due_at`). Nothing is held in memory for those that wait: the store finds them,
 * also those that an earlier server left.
 */
import type { PromptId, SessionId } from "../../contract/base/id.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { attentionOf } from "../../session/state/attention.ts";
import { continuationOf } from "../../session/state/continuation.ts";
import { placeOf } from "../../session/state/place.ts";
import type { Engine, SessionCommits } from "../sessions/session-journal.ts";
import { failureKind } from "../failures/failure-kind.ts";
import type { Clock, Ids, Log } from "../ports/home.ts";
import type { DueSession, Store } from "../ports/store.ts";
import type { HeldPlaces } from "../places/held-places.ts";
import type { Recovery } from "../recovery/recovery.ts";
import { continueTurn } from "../reactors/go-on.ts";
import { isDamage } from "../failures/session-damaged.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import { DueRounds, type Waking } from "./due-rounds.ts";

/** A damaged session may have been mended meanwhile, and the server that holds the place of another one may be gone. */
const LATER_MS = 10 * 60_000;

interface Parts {
  store: Store;
  engine: Engine;
  commits: SessionCommits;
  clock: Clock;
  ids: Ids;
  log: Log;
  held: Pick<HeldPlaces, "isOfLostPlace">;
  recovery: Pick<Recovery, "touch" | "settled">;
}

export class DueWatch {
  readonly #parts: Parts;
  readonly #rounds: DueRounds<DueSession, SessionId>;
  readonly #leave: () => void;
  /** The scope `own`: those that this server cut off. Null with the scope `all`: also those that earlier servers left. */
  #own: Set<SessionId> | null = new Set();
  /** What came of those that were woken: what did not help then does not help now. */
  readonly #tried = new Map<SessionId, Tried>();
  #closed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { store, clock, log } = parts;
    this.#rounds = new DueRounds({
      clock,
      log,
      what: "sessions",
      find: (by, after, limit) => store.due(by, after, limit),
      idOf: ({ session_id }) => session_id,
      look: (session, now) => this.#look(session, now),
      seen: (found) => {
        for (const session of this.#tried.keys())
          if (!found.has(session)) this.#tried.delete(session);
      },
    });
    this.#leave = parts.commits.onAny(({ after }) => {
      if (attentionOf(after).due_at === null) this.#own?.delete(after.id);
      else this.#own?.add(after.id);
    });
    void parts.recovery.settled.then((scope) => this.#lookAfter(scope));
  }

  /** Whose turns go on. Until this is said, those that this server cut off alone: what lives may not be attached yet (REC-56). */
  #lookAfter(scope: "own" | "all"): void {
    if (scope === "own" || this.#closed) return;
    this.#own = null;
    this.#leave();
    this.#rounds.lookSoon();
  }

  *kept(): Iterable<SessionId> {
    yield* this.#own ?? [];
    yield* this.#tried.keys();
  }

  letGo(sessions: ReadonlySet<SessionId>): void {
    for (const session of sessions) {
      this.#own?.delete(session);
      this.#tried.delete(session);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    await this.#rounds.close();
  }

  /** Reads the session; that it goes on is not waited for. */
  async #look(session: SessionId, now: string): Promise<Waking | null> {
    if (this.#own?.has(session) === false) return null;
    if (this.#isGivenUp(session)) return null;
    let waking: Waking | null = null;
    await this.#attempt(session, async () => {
      // The other server does it; this one keeps nothing of the session (REC-88).
      if (await this.#parts.held.isOfLostPlace(session)) return;
      const due = await this.#dueTurn(session, now);
      if (due === null) return;
      waking = () => this.#attempt(session, () => this.#goOn(session, due));
    });
    return waking;
  }

  #isGivenUp(session: SessionId): boolean {
    const tried = this.#tried.get(session);
    return tried?.kind === "failed" && performance.now() < tried.again_at;
  }

  async #attempt(session: SessionId, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#closed) return;
      if (failureKind(error) === "passing") return;
      const isExpected = isDamage(error) || isSuperseded(error);
      const again_at = isExpected ? performance.now() + LATER_MS : Infinity;
      this.#tried.set(session, { kind: "failed", again_at });
      if (!isExpected && !isSessionGone(error))
        this.#parts.log.error(
          { session_id: session, err: error },
          "could not continue a turn",
        );
    }
  }

  /** Null where there is nothing to do about it, or nothing that did not fail to help before. */
  async #dueTurn(session: SessionId, now: string): Promise<DueTurn | null> {
    const { store, engine } = this.#parts;
    const state = await engine.state(session);
    const { seq } = state;
    const tried = this.#tried.get(session);
    if (tried?.kind === "woken" && tried.seq === seq) return null;
    const attention = attentionOf(state);
    const { due_at } = attention;
    const continuation = continuationOf(state);
    if (due_at !== null && due_at <= now)
      return { seq, prompt_id: continuation?.prompt_id ?? null };
    // An older release, or one that wrote less, may have left a row that is not true.
    await engine.writeAt(placeOf(state), (place) =>
      store.attend(place, session, seq, attention),
    );
    this.#tried.set(session, { kind: "woken", seq });
    return null;
  }

  async #goOn(session: SessionId, { seq, prompt_id }: DueTurn): Promise<void> {
    await this.#parts.recovery.touch(session);
    try {
      if (prompt_id !== null)
        await continueTurn(this.#parts, session, prompt_id);
      // A quota is filled again: what follows from that is intended then.
      else await this.#parts.engine.issue(session, { type: "quota.look" });
    } catch (error) {
      // Someone else has decided about it meanwhile, or it cannot be now.
      if (failureKind(error) !== "refused") throw error;
    }
    this.#tried.set(session, { kind: "woken", seq });
  }
}

interface DueTurn {
  /** Of the session's last event. */
  seq: number;
  /** The prompt that goes on; null where a quota is to be looked at. */
  prompt_id: PromptId | null;
}

type Tried =
  /** Up to this event no other try helps. */
  | { kind: "woken"; seq: number }
  /** It is damaged, gone, or something went wrong that nobody foresaw. */
  | { kind: "failed"; again_at: number };
