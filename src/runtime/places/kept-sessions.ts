/** What is in memory of sessions, wherever it is, and how it is let go with their place. */
import type { SessionId } from "../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import type { Log } from "../ports/home.ts";
import type { Store } from "../ports/store.ts";
import type { HeldPlaces, LetGo } from "./held-places.ts";

/** Something that keeps sessions in memory. */
export interface Keeper {
  kept(): Iterable<SessionId>;
  letGo(sessions: ReadonlySet<SessionId>, why: Error): Promise<void> | void;
}

interface Parts {
  held: Pick<HeldPlaces, "onGivenUp">;
  store: Pick<Store, "session">;
  log: Log;
  /** The one that has the states of sessions comes first. */
  keepers: readonly Keeper[];
  /** Closes the connection to a place. */
  leave: (at: PlaceRef) => Promise<void>;
}

export class KeptSessions implements LetGo {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.held.onGivenUp(this);
  }

  /** Every session that is in memory, of whatever place. */
  ids(): Set<SessionId> {
    return new Set(this.#parts.keepers.flatMap((each) => [...each.kept()]));
  }

  async one(at: PlaceRef, why: Error): Promise<void> {
    const known = new Map<SessionId, boolean>();
    await this.#letGo([at], why, () => this.#idsAt(placeKey(at), known));
  }

  /** Of all places that there are: nothing has to be looked up. */
  async all(places: readonly PlaceRef[], why: Error): Promise<void> {
    await this.#letGo(places, why, async () => this.ids());
  }

  /** What fails is logged, and keeps nothing else from being let go. */
  async #letGo(
    places: readonly PlaceRef[],
    why: Error,
    find: () => Promise<ReadonlySet<SessionId>>,
  ): Promise<void> {
    const leaving = places.map((at) => this.#reported(this.#parts.leave(at)));
    await this.#empty(await find(), why);
    await Promise.all(leaving);
    // Work that was under way may have kept something until the connections were closed.
    await this.#empty(await find(), why);
  }

  /** All keepers at once. The first drops the states of the sessions before another one begins. */
  async #empty(sessions: ReadonlySet<SessionId>, why: Error): Promise<void> {
    if (sessions.size === 0) return;
    const letGo = async (keeper: Keeper): Promise<void> =>
      keeper.letGo(sessions, why);
    await Promise.all(
      this.#parts.keepers.map((keeper) => this.#reported(letGo(keeper))),
    );
  }

  #reported(work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) =>
      this.#parts.log.error(
        { err: error },
        "could not let go of all that was kept of a place",
      ),
    );
  }

  /**
   * Of all that are in memory. Each is looked up once: a session stays at its place. What cannot be looked up is let go too:
   * it can be read again.
   */
  async #idsAt(
    key: string,
    known: Map<SessionId, boolean>,
  ): Promise<Set<SessionId>> {
    const look = async (id: SessionId): Promise<void> => {
      const isThere = await this.#parts.store.session(id).then(
        (session) => session !== null && placeKey(session.place) === key,
        () => true,
      );
      known.set(id, isThere);
    };
    const ids = this.ids();
    await Promise.all([...ids].filter((id) => !known.has(id)).map(look));
    return new Set([...ids].filter((id) => known.get(id) === true));
  }
}
