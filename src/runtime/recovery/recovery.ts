/**
 * Keeps the journal and what runs at the places together. Who calls what:
 *
 *   the server starts                    startup     start-up.ts: every session that needs it, at all places
 *   a place was reached anew             (listens)   settle-ended.ts: what the journal has ended is stopped there
 *   the connection to a place was lost   (listens)   regain-place.ts: tries until it is there again
 *   something is asked of a session      touch       settle-place.ts: that session alone, if nobody listens to its agent yet
 *   `session recover`                    recover     settle-place.ts: that session alone, whoever listens
 */
import type { RecoveryMode } from "../../contract/api/config.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { orAborted } from "../../kit/time/or-aborted.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";
import { isLinkLost } from "../failures/link-lost.ts";
import { Attachments } from "../places/attachments.ts";
import type { Place } from "../ports/executors.ts";
import { Endings } from "./endings.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";
import { type StartUpPlan, startUpPlans } from "./recovery-mode.ts";
import { regainPlace } from "./regain-place.ts";
import { settleEnded } from "./settle-ended.ts";
import { type Alive, settlePlace } from "./settle-place.ts";
import { startUp } from "./start-up.ts";
import { isOutOfReach } from "./tell-agentctl.ts";

type Own = "attachments" | "endings" | "closing" | "follow";

interface Parts extends Omit<RecoveryDeps, Own> {
  /** How long start-up waits for places that do not answer. */
  placesMs?: number;
}

const PLACES_MS = 5000;

export class Recovery {
  readonly #parts: Parts;
  readonly #deps: RecoveryDeps;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  /** By the key of the place. */
  readonly #regaining = new Map<string, Promise<Alive>>();
  readonly #settled = Promise.withResolvers<StartUpPlan["dueTurns"]>();
  /** Resolves once start-up has looked after what lives, or could not: with whose turns go on when their time has come. */
  readonly settled = this.#settled.promise;

  constructor(parts: Parts) {
    const { signal } = this.#closing;
    this.#parts = parts;
    this.#deps = {
      ...parts,
      attachments: new Attachments(),
      endings: new Endings(parts.engine, signal),
      closing: signal,
      follow: (work) => this.#follow(work),
    };
    parts.places.listen({
      reached: (place) => this.#reached(place),
      disconnected: (at) => this.#follow(regainPlace(this.#deps, at)),
    });
  }

  /** Resolves with how many agents run, as far as places answer in time; requests are taken meanwhile (REC-1). */
  async startup(mode: RecoveryMode): Promise<{ running: number }> {
    const { placesMs = PLACES_MS } = this.#parts;
    const plan = startUpPlans[mode];
    try {
      return await startUp(this.#deps, plan, placesMs);
    } finally {
      this.#settled.resolve(plan.dueTurns);
    }
  }

  /** A place was reached anew: what has ended is stopped or forgotten there (REC-62). */
  #reached(place: Place): void {
    const known = orAborted(place.executions(), this.#closing.signal);
    this.#follow(known.then((all) => settleEnded(this.#deps, place, all)));
  }

  /** Something is asked of a session: if nobody listens to its agent yet, or something is due, that comes first (REC-4). */
  async touch(session: SessionId): Promise<void> {
    const { engine, places, intents, endings } = this.#deps;
    const state = await engine.state(session);
    const { execution } = state;
    if (execution === null) return intents.pursue(state);
    if (!places.expects(execution.id))
      await settlePlace(this.#deps, placeOf(state), [state]);
    // Where it is known to be gone, what it said last may still be being taken in.
    await endings.wait(execution.id);
  }

  /** The same, without waiting for it: what is asked does not depend on it. A place that is away is tried again (REC-100). */
  touchSoon(session: SessionId): void {
    const touched = this.touch(session).catch(async (error: unknown) => {
      if (!isLinkLost(error)) throw error;
      await this.#regained(placeOf(await this.#deps.engine.state(session)));
      await this.touch(session);
    });
    this.#follow(touched);
  }

  /** However many wait for a place, it is tried for all of them together. */
  #regained(at: PlaceRef): Promise<Alive> {
    const key = placeKey(at);
    const before = this.#regaining.get(key);
    if (before !== undefined) return before;
    const regaining = regainPlace(this.#deps, at).finally(() =>
      this.#regaining.delete(key),
    );
    this.#regaining.set(key, regaining);
    return regaining;
  }

  /** Compares one session with the world (P10). */
  async recover(session: SessionId): Promise<State> {
    const { engine, places, attachments } = this.#deps;
    const state = await engine.state(session);
    if (state.execution !== null)
      attachments.forget(
        await places.obtain(placeOf(state)),
        state.execution.id,
      );
    await settlePlace(this.#deps, placeOf(state), [state]);
    const { execution, executions_so_far } = await engine.state(session);
    const { last_ended_id } = executions_so_far;
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

  #follow(work: Promise<unknown>): void {
    const { log } = this.#deps;
    const followed = work.then(nothing, (error: unknown) => {
      if (this.#closing.signal.aborted || isOutOfReach(error)) return;
      // Whoever asks next finds it, and what lives is attached then.
      if (isLinkLost(error))
        log.warn({ err: error }, "agentctl went away meanwhile");
      else log.error({ err: error }, "recovery could not go on");
    });
    this.#underWay.add(followed);
    void followed.finally(() => this.#underWay.delete(followed));
  }
}

const nothing = (): void => undefined;
