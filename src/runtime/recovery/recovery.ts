/** After a start, or when agentctl was away: finds again what lives, notices what does not, and goes on with both. */
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import { setTimeout as delay } from "node:timers/promises";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { backoff } from "../../kit/time/backoff.ts";
import { orAborted } from "../../kit/time/or-aborted.ts";
import type { AgentctlFacts } from "../../session/state/agentctl.ts";
import type { Command } from "../../session/state/command.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import { factsOf } from "../places/agentctl-health.ts";
import { Attachments } from "../places/attachments.ts";
import { bringBackCutOff } from "./bring-back-cut-off.ts";
import { bringBackIdle } from "./bring-back-idle.ts";
import { byPlace } from "./by-place.ts";
import type { Engine, SessionShelf } from "../sessions/session-journal.ts";
import { Endings } from "./endings.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import type { Places } from "../places/places.ts";
import type { Log } from "../ports/home.ts";
import type { Place } from "../ports/executors.ts";
import type { SessionIntents } from "../sessions/session-intents.ts";
import { reasonOf } from "../failures/reason.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import { settleEnded } from "./settle-ended.ts";
import { settleExecution } from "./settle-execution.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";
import { unsettledSessions } from "./unsettled-sessions.ts";

interface Parts extends AgentSessionDeps {
  /** How long start-up waits for places. */
  placesMs?: number;
  engine: Engine;
  places: Places;
  intents: SessionIntents;
  shelf: SessionShelf;
  log: Log;
  /** Called once start-up has looked after what lives, or could not. */
  onSettled: () => void;
}

/** How long start-up waits for places that do not answer. */
const PLACES_MS = 5000;

export class Recovery {
  readonly #parts: Parts;
  readonly #attachments = new Attachments();
  readonly #closing = new AbortController();
  readonly #endings: Endings;
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#endings = new Endings(parts.engine, this.#closing.signal);
  }

  /**
   * Looks after every session that had an execution or was waiting for one, at all places at once. Returns how many agents
   * run at the places that answered in time. At the others it goes on when they answer (REC-58).
   */
  async startup(
    bringBack: boolean,
    idleToo = false,
  ): Promise<{ running: number }> {
    try {
      return await this.#startup(bringBack, idleToo);
    } finally {
      this.#parts.onSettled();
    }
  }

  async #startup(
    bringBack: boolean,
    idleToo: boolean,
  ): Promise<{ running: number }> {
    const { log, placesMs = PLACES_MS } = this.#parts;
    const settled = new Map<string, Promise<ReadonlySet<SessionId>>>();
    const late = new Set<string>();
    let running = 0;
    const tries = byPlace(await unsettledSessions(this.#parts)).map(
      async ({ at, key, states }) => {
        late.add(key);
        const first = this.#tryToSettle(at, states);
        const alive = first.then((found) => found ?? this.#regain(at));
        settled.set(key, alive);
        this.#follow(
          alive.then((found) => {
            if (bringBack) this.#bringBackCutOff(states, found);
          }),
        );
        const found = await first.catch(this.#unlessClosing);
        running += found?.size ?? 0;
        late.delete(key);
      },
    );
    const waiting = new AbortController();
    await Promise.race([Promise.all(tries), sleep(placesMs, waiting.signal)]);
    waiting.abort();
    for (const place of late)
      log.warn({ place }, "does not answer; recovery goes on when it does");
    if (idleToo) this.#follow(this.#bringBackIdle(settled));
    return { running };
  }

  /** A place was reached anew: what has ended is stopped or forgotten there (REC-62). */
  reached(place: Place): void {
    this.#follow(this.#settleEnded(place));
  }

  /** The connection to an agentctl was lost: get it back while sessions need it. */
  lost(at: PlaceRef): void {
    this.#follow(this.#regain(at));
  }

  /** Someone wants something of a session: if nobody listens to its agent yet, or something is due, that comes first (REC-4). */
  async touch(session: SessionId): Promise<void> {
    const { engine, places, intents } = this.#parts;
    const state = await engine.state(session);
    const { execution } = state;
    if (execution === null) return intents.pursue(state);
    if (!places.expects(execution.id))
      await this.#settle(placeOf(state), [state]);
    // Where it is known to be gone, what it said last may still be being taken in.
    await this.#endings.wait(execution.id);
  }

  /** The same, without waiting for it: what is asked does not depend on it. */
  touchSoon(session: SessionId): void {
    this.#follow(this.touch(session));
  }

  /** Compares one session with the world (P10). */
  async recover(session: SessionId): Promise<State> {
    const { engine, places } = this.#parts;
    const state = await engine.state(session);
    if (state.execution !== null)
      this.#attachments.forget(
        await places.obtain(placeOf(state)),
        state.execution.id,
      );
    await this.#settle(placeOf(state), [state]);
    const { execution, executions } = await engine.state(session);
    const { last_ended_id } = executions;
    if (execution === null && last_ended_id !== null) {
      const place = await places.obtain(placeOf(state));
      await place.clear(last_ended_id);
    }
    return engine.state(session);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** What fails because the server closes has found nobody. */
  readonly #unlessClosing = (error: unknown): null => {
    if (this.#closing.signal.aborted) return null;
    throw error;
  };

  #follow(work: Promise<unknown>): void {
    const followed = work.then(nothing, (error: unknown) => {
      // Whoever asked for a session that is not there, is damaged or is another server's, is told so.
      if (this.#closing.signal.aborted || isOutOfReach(error)) return;
      // Whoever asks next finds it, and what lives is attached then.
      if (isLinkLost(error))
        this.#parts.log.warn({ err: error }, "agentctl went away meanwhile");
      else this.#parts.log.error({ err: error }, "recovery could not go on");
    });
    this.#underWay.add(followed);
    void followed.finally(() => this.#underWay.delete(followed));
  }

  /** Who lives at this place; null when it could not be had, and then who waits for an agent asks for agentctl by itself. */
  async #tryToSettle(
    at: PlaceRef,
    states: readonly State[],
  ): Promise<ReadonlySet<SessionId> | null> {
    const { log, intents } = this.#parts;
    try {
      return await this.#settle(at, states);
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      if (isSuperseded(error)) return this.#leftToAnother(at);
      log.warn({ place: at, err: error }, "agentctl is away; trying again");
      await this.#tellAway(states, { status: "error", ...reasonOf(error) });
      intents.startOver(states.filter(({ execution }) => execution === null));
      return null;
    }
  }

  #bringBackCutOff(
    states: readonly State[],
    alive: ReadonlySet<SessionId>,
  ): void {
    for (const { id, lifecycle } of states)
      if (lifecycle.name === "RUNNING" && !alive.has(id))
        this.#follow(bringBackCutOff(this.#parts, id, this.#closing.signal));
  }

  #bringBackIdle(
    settled: ReadonlyMap<string, Promise<ReadonlySet<SessionId>>>,
  ): Promise<void> {
    return bringBackIdle(this.#parts, settled, this.#closing.signal);
  }

  /** Tries until the place answers or no session needs it any more. Who lives there then. */
  async #regain(at: PlaceRef): Promise<ReadonlySet<SessionId>> {
    const key = placeKey(at);
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const needy = [...this.#parts.shelf.values()].filter(
        (state) =>
          state.execution !== null && placeKey(state.execution.place) === key,
      );
      if (needy.length === 0) break;
      if (attempt === 0) await this.#tellAway(needy, { status: "starting" });
      try {
        return await this.#settle(at, needy);
      } catch (error) {
        this.#closing.signal.throwIfAborted();
        if (isSuperseded(error)) return this.#leftToAnother(at);
        this.#parts.log.warn(
          { place: at, err: error },
          "agentctl is away; trying again",
        );
        await this.#tellAway(needy, { status: "error", ...reasonOf(error) });
        await sleep(backoff(attempt, 100, 5000), this.#closing.signal);
      }
    }
    return new Set();
  }

  /** Nobody of it lives for this server, and nothing is tried again (REC-68). */
  #leftToAnother(at: PlaceRef): ReadonlySet<SessionId> {
    this.#parts.log.warn(
      { place: at },
      "another server has this place; its sessions are left to it",
    );
    return new Set();
  }

  async #settleEnded(place: Place): Promise<void> {
    await settleEnded(this.#parts, place, await this.#known(place));
  }

  /** A place that never answers is not waited for when the server closes. */
  #obtain(at: PlaceRef): Promise<Place> {
    return orAborted(this.#parts.places.obtain(at), this.#closing.signal);
  }

  #known(place: Place): ReturnType<Place["executions"]> {
    return orAborted(place.executions(), this.#closing.signal);
  }

  /** Attaches what lives and concludes what does not. A session that cannot be settled does not hold up the others. */
  async #settle(
    at: PlaceRef,
    states: readonly State[],
  ): Promise<Set<SessionId>> {
    const { intents, log } = this.#parts;
    const parts = {
      ...this.#parts,
      attachments: this.#attachments,
      onEnding: (session: SessionId, id: ExecutionId) =>
        this.#endings.begin(session, id),
      factsOf: (place: Place, state: State) =>
        factsOf(this.#parts, place, state),
      tell: (state: State, status: "reached" | "ready", facts: AgentctlFacts) =>
        this.#tell(state, { status, facts }),
    };
    const alive = new Set<SessionId>();
    const place = await this.#obtain(at);
    const known = await this.#known(place);
    for (const state of states)
      try {
        if (await settleExecution(parts, place, known, state))
          alive.add(state.id);
      } catch (error) {
        if (isLinkLost(error) || isSuperseded(error)) throw error;
        if (await this.#hasMovedOn(state)) continue;
        log.error(
          { session_id: state.id, err: error },
          "could not settle a session; recover it by request",
        );
      }
    const now = await Promise.all(states.map(({ id }) => this.#stateNow(id)));
    intents.startOver(now.filter((state) => state !== null));
    return alive;
  }

  /** Null when it was purged meanwhile or found to be damaged, which must hold up nobody else. */
  async #stateNow(id: SessionId): Promise<State | null> {
    try {
      return await this.#parts.engine.state(id);
    } catch (error) {
      if (isOutOfReach(error)) return null;
      throw error;
    }
  }

  async #tellAway(states: readonly State[], how: AgentctlNews): Promise<void> {
    await Promise.all(states.map((state) => this.#tell(state, how)));
  }

  /** How it goes with agentctl. A disk that is full keeps nobody from being attached. */
  async #tell({ id, execution }: State, agentctl: AgentctlNews): Promise<void> {
    if (execution === null) return;
    try {
      await this.#parts.engine.issue(id, { type: "agentctl.report", agentctl });
    } catch (error) {
      if (!isStorageTrouble(error) && !isOutOfReach(error)) throw error;
    }
  }

  /** Somebody else has settled it meanwhile: its execution has ended, and agentctl may have forgotten it. */
  async #hasMovedOn({ id, execution }: State): Promise<boolean> {
    const now = await this.#stateNow(id);
    return now?.execution?.id !== execution?.id;
  }
}

type AgentctlNews = Extract<Command, { type: "agentctl.report" }>["agentctl"];

const isOutOfReach = (error: unknown): boolean =>
  isSessionGone(error) || isSessionDamaged(error) || isSuperseded(error);

/** Ends early, without a word, when the signal fires. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);

const nothing = (): void => undefined;
