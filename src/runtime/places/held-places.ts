/**
 * The places that this server holds, each by its own term.
 *
 *   (none) ──► claiming ──► held ──► releasing ──► (none)
 *                 │          │        what is kept of its sessions is let go, then others may claim it
 *                 └► (none)  └─────► lost
 *                                     another server has it; the same is let go
 *
 * Nothing leads out of `lost`: another server answers for the place, and its agentctl obeys that one. For as long as this
 * server runs it neither claims the place again nor asks anything of it, whoever wants to (REC-88).
 */
import type { SessionId } from "../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import type { PlaceTerm, Terms } from "../../journal/journal-store.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { serverClosing } from "../failures/server-closing.ts";
import { notHeldAt, supersededAt } from "../failures/superseded-at.ts";
import type { Log } from "../ports/home.ts";
import type { Ownership } from "../ports/ownership.ts";
import type { Store } from "../ports/store.ts";

/** Lets go of what is kept of places. `why` is told to whoever waits for something there. */
export interface LetGo {
  one(place: PlaceRef, why: Error): Promise<void>;
  all(places: readonly PlaceRef[], why: Error): Promise<void>;
}

interface Parts {
  ownership: Ownership;
  store: Pick<Store, "session">;
  log: Log;
  /** Another server has taken over everything. */
  onHomeLost: () => void;
}

type Holding =
  | { kind: "claiming"; claimed: Promise<PlaceTerm> }
  | { kind: "held"; at: PlaceRef; term: PlaceTerm }
  | { kind: "releasing"; over: Promise<void> }
  | { kind: "lost" };

export class HeldPlaces implements Terms {
  readonly #parts: Parts;
  /** By the key of the place. */
  readonly #holdings = new Map<string, Holding>();
  /** As it was found when the last place was lost. */
  #isHomeGone: Promise<boolean> = Promise.resolve(false);
  readonly #losses = new Set<Promise<void>>();
  readonly #keepers: LetGo[] = [];
  #claims = 0;
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whoever keeps something of places, from before the first of them is claimed. */
  onGivenUp(letGo: LetGo): void {
    this.#keepers.push(letGo);
  }

  async claim(at: PlaceRef): Promise<PlaceTerm> {
    for (;;) {
      const term = this.termOf(at);
      if (term !== null) return term;
      if (this.#isClosing) throw serverClosing();
      const holding = this.#holdings.get(placeKey(at)) ?? this.#begin(at);
      switch (holding.kind) {
        case "claiming":
          await holding.claimed;
          break;
        case "releasing":
          await holding.over;
          break;
        case "lost":
          throw supersededAt(at);
        case "held":
          return holding.term;
        default:
          return unreachable(holding);
      }
    }
  }

  termOf(at: PlaceRef): PlaceTerm | null {
    const holding = this.#holdings.get(placeKey(at));
    if (holding !== undefined)
      return holding.kind === "held" ? holding.term : null;
    const { coversPlaces, term } = this.#parts.ownership;
    return coversPlaces && !this.#isClosing ? this.#hold(at, term) : null;
  }

  isHeld(at: PlaceRef): boolean {
    return this.termOf(at) !== null;
  }

  claims(): number {
    return this.#claims;
  }

  /** The term for who only reads; refused where the place is not held, since nothing is claimed to read (REC-89). */
  requireHeld(at: PlaceRef): PlaceTerm {
    const term = this.termOf(at);
    if (term !== null) return term;
    throw this.#isLost(at) ? supersededAt(at) : notHeldAt(at);
  }

  /**
   * Refuses a session of a place that is not held: this server does not hear what becomes of it. A server that lost its home
   * refuses nobody: it stops, and who follows finds its successor.
   */
  async requireHeard(session: SessionId): Promise<void> {
    const holdsAll = this.#parts.ownership.coversPlaces && !this.#hasLost();
    if (holdsAll || (await this.#isHomeGone)) return;
    const found = await this.#parts.store.session(session);
    if (found !== null) this.requireHeld(found.place);
  }

  /** Whether the place of a session was lost: what is due there is the other server's. */
  async isOfLostPlace(session: SessionId): Promise<boolean> {
    if (!this.#hasLost()) return false;
    const found = await this.#parts.store.session(session);
    return found !== null && this.#isLost(found.place);
  }

  /** Whether another server has taken over everything, not one place alone; true where that cannot be found out. */
  isHomeLost(): Promise<boolean> {
    return this.#parts.ownership.isLost().catch(() => true);
  }

  reportLoss(at: PlaceRef, term: number): void {
    // An older term: the place was released since, and perhaps claimed anew.
    if (this.termOf(at)?.term !== term) return;
    const key = placeKey(at);
    this.#holdings.set(key, { kind: "lost" });
    this.#isHomeGone = this.isHomeLost();
    this.#parts.log.error({ place: key }, "another server has taken over");
    const settled = this.#settleLoss(at);
    this.#losses.add(settled);
    void settled.finally(() => this.#losses.delete(settled));
  }

  /** Gives up a place and everything that is kept of it. Nothing happens where it is not held. */
  async release(at: PlaceRef, why: Error): Promise<void> {
    const key = placeKey(at);
    const claiming = this.#holdings.get(key);
    if (claiming?.kind === "claiming") await claiming.claimed.catch(ignore);
    if (this.#holdings.get(key)?.kind !== "held") return;
    await this.#release(at, () => this.#letGo((kept) => kept.one(at, why)));
  }

  /** Resolves when what is kept of lost places is let go. */
  async drain(): Promise<void> {
    while (this.#losses.size > 0) await Promise.all(this.#losses);
  }

  /** Gives up all of them, and claims no other. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.drain();
    for (const holding of this.#holdings.values())
      if (holding.kind === "claiming") await holding.claimed.catch(ignore);
    const held = [...this.#holdings.values()].flatMap((holding) =>
      holding.kind === "held" ? [holding.at] : [],
    );
    const why = serverClosing();
    const letGo = this.#letGo((kept) => kept.all(held, why));
    const releases = held.map(async (at) => {
      try {
        await this.#release(at, () => letGo);
      } catch (error) {
        this.#parts.log.error(
          { place: placeKey(at), err: error },
          "could not give back a place",
        );
      }
    });
    await Promise.all(releases);
  }

  #begin(at: PlaceRef): Holding {
    const key = placeKey(at);
    const claimed = this.#parts.ownership.claim(at).then(
      (term) => {
        this.#claims += 1;
        return this.#hold(at, term);
      },
      (error: unknown) => {
        this.#holdings.delete(key);
        throw error;
      },
    );
    const holding: Holding = { kind: "claiming", claimed };
    this.#holdings.set(key, holding);
    return holding;
  }

  #hold(at: PlaceRef, number: number): PlaceTerm {
    const key = placeKey(at);
    const term = { key, term: number };
    this.#holdings.set(key, { kind: "held", at, term });
    return term;
  }

  /** Nobody claims it before it is given back, or could not be. */
  async #release(at: PlaceRef, letGo: () => Promise<void>): Promise<void> {
    const key = placeKey(at);
    const released = Promise.withResolvers<void>();
    this.#holdings.set(key, { kind: "releasing", over: released.promise });
    try {
      await letGo();
      await this.#parts.ownership.release(at);
    } finally {
      this.#holdings.delete(key);
      released.resolve();
    }
  }

  async #settleLoss(at: PlaceRef): Promise<void> {
    if (await this.#isHomeGone) this.#parts.onHomeLost();
    await this.#letGo((kept) => kept.one(at, supersededAt(at)));
  }

  async #letGo(work: (kept: LetGo) => Promise<void>): Promise<void> {
    await Promise.all(this.#keepers.map(work));
  }

  #isLost(at: PlaceRef): boolean {
    return this.#holdings.get(placeKey(at))?.kind === "lost";
  }

  #hasLost(): boolean {
    return [...this.#holdings.values()].some(({ kind }) => kind === "lost");
  }
}

const ignore = (): void => undefined;
