/** What is seen of sessions for whoever only wants to know. An action looks for itself. */
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import { within } from "../../kit/time/deadline.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import type { Sighting } from "../../session/view/status.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import { look } from "./look.ts";
import type { Places } from "./places.ts";
import type { Clock } from "../ports/home.ts";
import type { Place } from "../ports/executors.ts";

/** How long a look may take; and how long when there is a sighting to fall back on. */
const LOOK_MS = 2000;
const QUICK_LOOK_MS = 250;
/** An older sighting says nothing about now. */
const MAX_AGE_MS = 10_000;
const MAX_KEPT = 1000;

interface Kept {
  of: ExecutionId | null;
  sighting: Sighting;
}

export class Sightings {
  readonly #deps: AgentSessionDeps & { places: Places; clock: Clock };
  /** The newest of each session, oldest first. */
  readonly #kept = new Map<SessionId, Kept>();
  /** Who asks at the same time shares a look. */
  readonly #looks = new Map<SessionId, Promise<Sighting>>();

  constructor(deps: AgentSessionDeps & { places: Places; clock: Clock }) {
    this.#deps = deps;
  }

  /** When agentctl does not answer soon, the one before, if it is a few seconds old; null when there is none. */
  async of(state: State): Promise<Sighting | null> {
    const before = this.#recent(state);
    const patience = before === null ? LOOK_MS : QUICK_LOOK_MS;
    try {
      const looking = this.#looks.get(state.id) ?? this.#begin(state);
      return await within("looking at a session", patience, looking);
    } catch {
      return before;
    }
  }

  #recent(state: State): Sighting | null {
    const kept = this.#kept.get(state.id);
    if (kept === undefined || kept.of !== executionOf(state)) return null;
    const age = this.#now() - Date.parse(kept.sighting.at);
    // One that is yet to come was taken before the clock was set back, who knows how long ago.
    return age >= 0 && age <= MAX_AGE_MS ? kept.sighting : null;
  }

  kept(): Iterable<SessionId> {
    return new Set([...this.#kept.keys(), ...this.#looks.keys()]);
  }

  letGo(sessions: ReadonlySet<SessionId>): void {
    for (const session of sessions) {
      this.#kept.delete(session);
      this.#looks.delete(session);
    }
  }

  #begin(state: State): Promise<Sighting> {
    const looking = this.#look(state).then((sighting) => {
      // Otherwise it was let go meanwhile.
      if (this.#looks.get(state.id) === looking) this.#keep(state, sighting);
      return sighting;
    });
    this.#looks.set(state.id, looking);
    const over = (): void => {
      if (this.#looks.get(state.id) === looking) this.#looks.delete(state.id);
    };
    void looking.then(over, over);
    return looking;
  }

  async #look(state: State): Promise<Sighting> {
    const at = new Date(this.#now()).toISOString();
    const place = await this.#placeFor(state);
    if (place === null) throw new Error("no agentctl is there to look");
    return { report: await look(this.#deps, place, state), at };
  }

  /** None is started to look at a session at rest. One that has an execution needs its agentctl in any case. */
  #placeFor(state: State): Promise<Place | null> {
    const { places } = this.#deps;
    const at = placeOf(state);
    return state.execution === null
      ? places.findHeld(at)
      : places.obtainHeld(at);
  }

  #keep(state: State, sighting: Sighting): void {
    this.#kept.delete(state.id);
    this.#kept.set(state.id, { of: executionOf(state), sighting });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined)
      this.#kept.delete(oldest);
  }

  #now(): number {
    return this.#deps.clock.now().getTime();
  }
}

const executionOf = ({ execution, executions_so_far }: State) =>
  execution?.id ?? executions_so_far.last_ended_id;
