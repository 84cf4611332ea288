/** The agentctls the runtime talks to: one connection per place, its reports routed, its end and its loss noticed. */
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { LinkReport } from "../../contract/link/link.ts";
import type { PlaceTerm } from "../../journal/journal-store.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import { supersededAt } from "../failures/superseded-at.ts";
import type { Executors, Place } from "../ports/executors.ts";
import type { Log } from "../ports/home.ts";
import type { Absences } from "./absences.ts";
import { guardedPlace } from "./guarded-place.ts";
import type { HeldPlaces } from "./held-places.ts";

/** Who is told what happens at places. */
export interface PlaceListener {
  reported?(
    place: Place,
    session: SessionId,
    report: LinkReport["report"],
  ): void;
  /** It was connected anew. */
  reached?(place: Place): void;
  /** Its connection ended by itself. */
  disconnected?(at: PlaceRef): void;
}

interface Connected {
  /** As the executor gave it. */
  connection: Place;
  /** The same, guarded: this is what everybody gets. */
  place: Place;
}

export class Places {
  readonly #executors: Executors;
  readonly #held: HeldPlaces;
  readonly #log: Log;
  /** By the key of the place. */
  readonly #connected = new Map<string, Connected>();
  readonly #sessions = new Map<ExecutionId, SessionId>();
  readonly #listeners: PlaceListener[] = [];
  /** Those that cannot be had now. */
  readonly absences: Absences;

  constructor(
    executors: Executors,
    held: HeldPlaces,
    log: Log,
    absences: Absences,
  ) {
    this.#executors = executors;
    this.#held = held;
    this.#log = log;
    this.absences = absences;
  }

  listen(listener: PlaceListener): void {
    this.#listeners.push(listener);
  }

  /** For whoever changes something: the place is claimed. An agentctl is started where there is none. */
  async obtain(at: PlaceRef): Promise<Place> {
    const claim = () => this.#held.claim(at);
    return this.#reach(at, claim, (term) => this.#executors.obtain(at, term));
  }

  /** For whoever only reads: refused where this server does not hold the place. An agentctl is started where there is none. */
  async obtainHeld(at: PlaceRef): Promise<Place> {
    const require = async () => this.#held.requireHeld(at);
    return this.#reach(at, require, (term) => this.#executors.obtain(at, term));
  }

  /** The same; null, and nothing is started, where there is no agentctl. */
  async findHeld(at: PlaceRef): Promise<Place | null> {
    const require = async () => this.#held.requireHeld(at);
    return this.#reach(at, require, (term) => this.#executors.find(at, term));
  }

  /** Nothing is asked of a place that this server does not hold. */
  #reach(
    at: PlaceRef,
    termNow: () => Promise<PlaceTerm>,
    reach: (term: number) => Promise<Place>,
  ): Promise<Place>;
  #reach(
    at: PlaceRef,
    termNow: () => Promise<PlaceTerm>,
    reach: (term: number) => Promise<Place | null>,
  ): Promise<Place | null>;
  async #reach(
    at: PlaceRef,
    termNow: () => Promise<PlaceTerm>,
    reach: (term: number) => Promise<Place | null>,
  ): Promise<Place | null> {
    for (;;) {
      const { term } = await termNow();
      const reached = await reach(term).catch((error: unknown) => {
        if (isLinkLost(error)) this.absences.begin(at, error);
        throw this.#refusal(at, term, error);
      });
      if (reached === null) return null;
      if (this.#held.termOf(at)?.term === term)
        return this.#connect(at, term, reached);
      // It was lost or released meanwhile.
      await this.leave(at);
    }
  }

  #connect(at: PlaceRef, term: number, connection: Place): Place {
    const key = placeKey(at);
    const before = this.#connected.get(key);
    if (before?.connection === connection) return before.place;
    const place = guardedPlace(connection, (error) =>
      this.#refusal(at, term, error),
    );
    this.#connected.set(key, { connection, place });
    this.absences.end(at);
    place.onReport((report) => this.#route(place, report));
    void place.closed.then(() => {
      if (this.#connected.get(key)?.place !== place) return;
      this.#connected.delete(key);
      this.absences.begin(at);
      for (const each of this.#listeners) each.disconnected?.(at);
    });
    for (const each of this.#listeners) each.reached?.(place);
    return place;
  }

  /** An agentctl that obeys another server is a lost place, whichever order it refuses (REC-87). */
  #refusal(at: PlaceRef, term: number, error: unknown): unknown {
    if (!(error instanceof LinkError) || error.code !== "term_superseded")
      return error;
    this.#held.reportLoss(at, term);
    // Or it obeys this one, which has claimed the place anew since.
    return this.#held.isHeld(at) ? replaced(error) : supersededAt(at, error);
  }

  /** Null where sandboxes can be made. An executor that does not know it makes none. */
  whyNoSandbox(at: PlaceRef): Promise<string | null> {
    return (
      this.#executors.whyNoSandbox?.(at) ??
      Promise.resolve("The executor of this place makes no sandboxes.")
    );
  }

  /** Before a place that is made for one session is needed for the first time. */
  async prepare(
    at: PlaceRef,
    wish: { cwd: string | null; image: string | undefined },
  ): Promise<void> {
    await this.#executors.prepare?.(at, wish);
  }

  /** Removes a place that was made for one session, with all that is kept there. */
  async remove(at: PlaceRef): Promise<void> {
    await this.leave(at);
    await this.#executors.remove?.(at);
  }

  /** Closes the connection to a place. Nobody is told that it ended. */
  async leave(at: PlaceRef): Promise<void> {
    this.#connected.delete(placeKey(at));
    await this.#executors.leave(at);
  }

  kept(): Iterable<SessionId> {
    return this.#sessions.values();
  }

  letGo(sessions: ReadonlySet<SessionId>): void {
    for (const [execution, session] of this.#sessions)
      if (sessions.has(session)) this.forget(execution);
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
    for (const each of this.#listeners) each.reported?.(place, session, report);
  }
}

const replaced = (cause: LinkError): RepriseError =>
  new RepriseError(
    "agentctl_unavailable",
    "The connection to agentctl was replaced by a newer one of this server. Try again.",
    { cause },
  );
