/** The agentctls the runtime talks to: one connection per place, its reports heard, its loss noticed. */
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import type { LinkReport } from "../../contract/link/link.ts";
import type { Terms } from "../../journal/journal-store.ts";
import { supersededAt } from "../failures/superseded-at.ts";
import type { Executors, Place } from "../ports/executors.ts";
import type { Log } from "../ports/home.ts";
import { guardedPlace } from "./guarded-place.ts";

type OnReport = (
  place: Place,
  session: SessionId,
  report: LinkReport["report"],
) => void;

interface Connected {
  /** As the executor gave it. */
  connection: Place;
  /** The same, guarded: this is what everybody gets. */
  place: Place;
}

export class Places {
  readonly #executors: Executors;
  readonly #log: Log;
  /** By the key of the place. */
  readonly #connected = new Map<string, Connected>();
  readonly #sessions = new Map<ExecutionId, SessionId>();
  #onReport: OnReport = () => undefined;
  #onReached: (place: Place) => void = () => undefined;
  #onLost: (at: PlaceRef) => void = () => undefined;

  readonly #terms: Terms;

  constructor(executors: Executors, terms: Terms, log: Log) {
    this.#executors = executors;
    this.#terms = terms;
    this.#log = log;
  }

  /** Who takes reports, and who is told when a place was reached anew or lost. Set once, before the first `obtain`. */
  listen(
    onReport: OnReport,
    onReached: (place: Place) => void,
    onLost: (at: PlaceRef) => void,
  ): void {
    this.#onReport = onReport;
    this.#onReached = onReached;
    this.#onLost = onLost;
  }

  async obtain(at: PlaceRef): Promise<Place> {
    return this.#connect(
      at,
      await this.#reach(at, () => this.#executors.obtain(at)),
    );
  }

  /** The one that is there; null, and nothing is started, where there is none. */
  async find(at: PlaceRef): Promise<Place | null> {
    const place = await this.#reach(at, () => this.#executors.find(at));
    return place === null ? null : this.#connect(at, place);
  }

  #connect(at: PlaceRef, connection: Place): Place {
    const key = placeKey(at);
    const before = this.#connected.get(key);
    if (before?.connection === connection) return before.place;
    const place = guardedPlace(connection, (error) => this.#refusal(at, error));
    this.#connected.set(key, { connection, place });
    place.onReport((report) => this.#route(place, report));
    void place.closed.then(() => {
      if (this.#connected.get(key)?.place !== place) return;
      this.#connected.delete(key);
      this.#onLost(at);
    });
    this.#onReached(place);
    return place;
  }

  /** An agentctl that obeys another server is a lost place, whichever order it refuses. */
  #refusal(at: PlaceRef, error: unknown): unknown {
    if (!(error instanceof LinkError) || error.code !== "term_superseded")
      return error;
    this.#terms.lost(at);
    return supersededAt(at, error);
  }

  /** Closes the connection to a place. It is told to nobody that it is lost. */
  async leave(at: PlaceRef): Promise<void> {
    this.#connected.delete(placeKey(at));
    await this.#executors.leave(at);
  }

  held(): Iterable<SessionId> {
    return this.#sessions.values();
  }

  letGo(sessions: ReadonlySet<SessionId>): void {
    for (const [execution, session] of this.#sessions)
      if (sessions.has(session)) this.forget(execution);
  }

  /** Nothing is asked of a place that another server holds. */
  async #reach<T>(at: PlaceRef, reach: () => Promise<T>): Promise<T> {
    await this.#terms.claim(at);
    try {
      const reached = await reach();
      // It may have been lost meanwhile.
      if (this.#terms.isHeld(at)) return reached;
    } catch (error) {
      throw this.#refusal(at, error);
    }
    await this.leave(at);
    return this.#reach(at, reach);
  }

  /** Reports of this execution belong to this session. */
  expect(execution: ExecutionId, session: SessionId): void {
    this.#sessions.set(execution, session);
  }

  /** Whether reports of this execution are taken. */
  expects(execution: ExecutionId): boolean {
    return this.#sessions.has(execution);
  }

  forget(execution: ExecutionId): void {
    this.#sessions.delete(execution);
  }

  #route(place: Place, report: LinkReport["report"]): void {
    const session = this.#sessions.get(report.execution_id);
    if (session === undefined) {
      this.#log.warn(
        { execution_id: report.execution_id },
        "a report of an unknown execution",
      );
      return;
    }
    this.#onReport(place, session, report);
  }
}
