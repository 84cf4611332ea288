/** Checkpoints under way. Each is taken once at a time, and whoever empties the store waits for those that are told of next. */
import type { SessionId } from "../../contract/base/id.ts";
import { isSamePlace, type PlaceRef } from "../../contract/base/place.ts";

interface UnderWay {
  /** Null where it is not a capture of one session. */
  session: SessionId | null;
  /** Whose vault it is for; null where that is not known. */
  place: PlaceRef | null;
  over: Promise<void>;
}

export class Captures {
  readonly #underWay = new Map<string, UnderWay>();
  #held = 0;
  #begun = 0;

  /** By the term of a place: a number above all that were given there before, by this server and by those of lower terms. */
  nextOrder(term: number): number {
    return term * CAPTURES_PER_TERM + ++this.#begun;
  }

  begin(
    session: SessionId,
    place: PlaceRef,
    { of, turn }: { of: string; turn: number },
    capture: () => Promise<void>,
  ): void {
    const key = `${session} ${of} ${turn}`;
    if (this.#underWay.has(key)) return;
    // In a later tick, so that it is listed before it can be over.
    const over = Promise.resolve()
      .then(capture)
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, { session, place, over });
  }

  /** Whoever takes in or refers to what is in the store, until that is told of too. */
  async hold<T>(place: PlaceRef | null, work: () => Promise<T>): Promise<T> {
    const key = `hold ${(this.#held += 1)}`;
    const result = work();
    const over = result
      .then(ignore, ignore)
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, { session: null, place, over });
    return result;
  }

  /** Resolves when those that are under way now, at this place or at all, are over and told of. */
  async drain(at?: PlaceRef): Promise<void> {
    const there = [...this.#underWay.values()].filter(
      ({ place }) =>
        at === undefined || place === null || isSamePlace(place, at),
    );
    await Promise.all(there.map(({ over }) => over));
  }

  *kept(): Iterable<SessionId> {
    for (const { session } of this.#underWay.values())
      if (session !== null) yield session;
  }

  /** Their connection is closed: each is over soon, and its session is not told. */
  async letGo(sessions: ReadonlySet<SessionId>): Promise<void> {
    const ending = [...this.#underWay.values()].filter(
      ({ session }) => session !== null && sessions.has(session),
    );
    await Promise.all(ending.map(({ over }) => over));
  }
}

const CAPTURES_PER_TERM = 2 ** 32;

const ignore = (): void => undefined;
