/**
 * The places that this server holds, each by its own term.
 *
 *   claim ─► held ─► release: what is kept of the place is let go, and others may claim it
 *              └──► lost: another server has it. The same is let go; the others go on, unless the home itself was lost
 */
import type { SessionId } from "../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import type { PlaceTerm, Terms } from "../../journal/journal-store.ts";
import { serverClosing } from "../failures/server-closing.ts";
import { supersededAt } from "../failures/superseded-at.ts";
import type { Log } from "../ports/home.ts";
import type { Ownership } from "../ports/ownership.ts";
import type { Store } from "../ports/store.ts";

/** Something that keeps sessions in memory. */
export interface Holder {
  held(): Iterable<SessionId>;
  letGo(sessions: ReadonlySet<SessionId>, why: Error): Promise<void> | void;
}

interface Parts {
  ownership: Ownership;
  store: Pick<Store, "session">;
  log: Log;
  /** Another server has taken over everything. */
  onHomeLost: () => void;
}

export class HeldPlaces implements Terms {
  readonly #parts: Parts;
  readonly #held = new Map<string, { at: PlaceRef; term: PlaceTerm }>();
  readonly #claiming = new Map<string, Promise<PlaceTerm>>();
  /** Of these nothing is kept but their keys, so that whoever asks for one is told. */
  readonly #lost = new Set<string>();
  /** As it was found when the last of them was lost. */
  #isHomeGone: Promise<boolean> = Promise.resolve(false);
  readonly #underWay = new Set<Promise<void>>();
  #holders: readonly Holder[] = [];
  #leave: (at: PlaceRef) => Promise<void> = async () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Who keeps what of a place, the states of its sessions first, and how its connection is closed. Set once, before the first claim. */
  keptBy(
    holders: readonly Holder[],
    leave: (at: PlaceRef) => Promise<void>,
  ): void {
    this.#holders = holders;
    this.#leave = leave;
  }

  async claim(at: PlaceRef): Promise<PlaceTerm> {
    const key = placeKey(at);
    this.#refuseLost(at);
    const held = this.#held.get(key);
    if (held !== undefined) return held.term;
    const claiming = this.#claiming.get(key) ?? this.#claim(at, key);
    const term = await claiming;
    this.#refuseLost(at);
    return term;
  }

  isHeld(at: PlaceRef): boolean {
    return this.#held.has(placeKey(at));
  }

  /** Whether another server has taken over everything, not one place alone; true where that cannot be found out. */
  isHomeLost(): Promise<boolean> {
    return this.#parts.ownership.isLost().catch(() => true);
  }

  /**
   * Refuses a session of a place that was lost: this server does not hear what becomes of it. A server that lost its home
   * refuses nobody: it stops, and who follows finds its successor.
   */
  async requireHeard(session: SessionId): Promise<void> {
    if (this.#lost.size === 0 || (await this.#isHomeGone)) return;
    const found = await this.#parts.store.session(session);
    if (found !== null) this.#refuseLost(found.place);
  }

  lost(at: PlaceRef): void {
    const key = placeKey(at);
    if (this.#lost.has(key)) return;
    this.#lost.add(key);
    this.#isHomeGone = this.isHomeLost();
    this.#parts.log.error({ place: key }, "another server has taken over");
    const settled = this.#reported(key, this.#settleLoss(at));
    this.#underWay.add(settled);
    void settled.finally(() => this.#underWay.delete(settled));
  }

  /** Gives up a place and everything that is kept of it; `why` is told to whoever waits for something there. */
  async release(at: PlaceRef, why: Error): Promise<void> {
    await this.#letGo(at, why);
    await this.#parts.ownership.release(at);
  }

  /** Every session that is in memory, of whatever place. */
  kept(): Set<SessionId> {
    return new Set(this.#holders.flatMap((each) => [...each.held()]));
  }

  /** Resolves when what was lost is let go. */
  async drain(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Gives up all of them. */
  async close(): Promise<void> {
    await this.drain();
    const why = serverClosing();
    for (const [key, { at }] of this.#held)
      await this.#reported(key, this.release(at, why));
  }

  #claim(at: PlaceRef, key: string): Promise<PlaceTerm> {
    const claiming = this.#parts.ownership
      .claim(at)
      .then((number) => {
        const term = { key, term: number };
        if (!this.#lost.has(key)) this.#held.set(key, { at, term });
        return term;
      })
      .finally(() => this.#claiming.delete(key));
    this.#claiming.set(key, claiming);
    return claiming;
  }

  async #settleLoss(at: PlaceRef): Promise<void> {
    this.#held.delete(placeKey(at));
    if (await this.#isHomeGone) this.#parts.onHomeLost();
    await this.#letGo(at, supersededAt(at));
  }

  /** What fails is logged, and keeps nothing else from being let go. */
  async #letGo(at: PlaceRef, why: Error): Promise<void> {
    const key = placeKey(at);
    this.#held.delete(key);
    const leaving = this.#reported(key, this.#leave(at));
    await this.#empty(key, why);
    await leaving;
    // Work that was under way may have kept something until the connection was closed.
    await this.#empty(key, why);
  }

  /** All holders at once. The first drops the states of the sessions before another one begins. */
  async #empty(key: string, why: Error): Promise<void> {
    const sessions = await this.#sessionsAt(key);
    if (sessions.size === 0) return;
    const letGo = async (holder: Holder): Promise<void> =>
      holder.letGo(sessions, why);
    await Promise.all(
      this.#holders.map((holder) => this.#reported(key, letGo(holder))),
    );
  }

  #reported(key: string, work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) =>
      this.#parts.log.error(
        { place: key, err: error },
        "could not let go of all that was kept of a place",
      ),
    );
  }

  /** Of all that are in memory. What cannot be looked up is let go too: it can be read again. */
  async #sessionsAt(key: string): Promise<Set<SessionId>> {
    const found = new Set<SessionId>();
    const look = async (id: SessionId): Promise<void> => {
      const isThere = await this.#parts.store.session(id).then(
        (session) => session !== null && placeKey(session.place) === key,
        () => true,
      );
      if (isThere) found.add(id);
    };
    await Promise.all([...this.kept()].map(look));
    return found;
  }

  #refuseLost(at: PlaceRef): void {
    if (this.#lost.has(placeKey(at))) throw supersededAt(at);
  }
}
