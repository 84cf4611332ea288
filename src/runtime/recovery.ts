/** After a start, or when agentctl was away: finds again what lives, notices what does not, and goes on with both. */
import type { AgentOverride } from "../contract/agent.ts";
import type { SessionId } from "../contract/id.ts";
import { setTimeout as delay } from "node:timers/promises";
import { backoff } from "../kit/backoff.ts";
import type { State } from "../session/state.ts";
import type { Engine } from "./engine.ts";
import { look } from "./look.ts";
import type { Places } from "./places.ts";
import type { Log, Place, Store } from "./ports.ts";
import type { Pursuit } from "./pursuit.ts";
import type { Shelf } from "./shelf.ts";

interface Parts {
  engine: Engine;
  store: Store;
  places: Places;
  pursuit: Pursuit;
  shelf: Shelf;
  log: Log;
  overrides: Readonly<Record<string, AgentOverride>>;
}

export class Recovery {
  readonly #parts: Parts;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks after every session that had an execution or was waiting for one. Returns how many agents run. */
  async startup(bringBack: boolean): Promise<{ running: number }> {
    const { engine, log } = this.#parts;
    const sessions = await this.#unsettled();
    const states = await Promise.all(sessions.map((id) => engine.state(id)));
    try {
      const alive = await this.#settle(states);
      if (bringBack)
        for (const state of states)
          if (state.lifecycle.name === "RUNNING" && !alive.has(state.id))
            this.#follow(this.#bringBack(state.id));
      return { running: alive.size };
    } catch (error) {
      log.warn({ err: error }, "agentctl is away; trying again");
      for (const executor of new Set(states.map((state) => state.executor)))
        this.lost(executor);
      return { running: 0 };
    }
  }

  /** The connection to an agentctl was lost: get it back while sessions need it. */
  lost(executor: string): void {
    this.#follow(this.#regain(executor));
  }

  /** Compares one session with the world (P10). */
  async recover(session: SessionId): Promise<State> {
    const { engine, places } = this.#parts;
    const state = await engine.state(session);
    await this.#settle([state]);
    const { execution, last_execution_id } = await engine.state(session);
    if (execution === null && last_execution_id !== null) {
      const place = await places.obtain(state.executor);
      await place.clear(last_execution_id);
    }
    return engine.state(session);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #follow(work: Promise<void>): void {
    const followed = work.catch((error: unknown) => {
      if (!this.#closing.signal.aborted)
        this.#parts.log.error({ err: error }, "recovery could not go on");
    });
    this.#underWay.add(followed);
    void followed.finally(() => this.#underWay.delete(followed));
  }

  /** A turn was cut off: once its execution is concluded, the agent is brought back. */
  async #bringBack(session: SessionId): Promise<void> {
    const { engine } = this.#parts;
    await engine.until(
      session,
      ({ execution, lifecycle }) =>
        execution === null || lifecycle.name !== "RUNNING",
      this.#closing.signal,
    );
    const { lifecycle } = await engine.state(session);
    if (lifecycle.name === "WAITING_FOR_INPUT")
      await engine.issue(session, {
        type: "session.resume",
        trigger: "startup",
      });
  }

  async #regain(executor: string): Promise<void> {
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const needy = [...this.#parts.shelf.values()].filter(
        (state) => state.executor === executor && state.execution !== null,
      );
      if (needy.length === 0) return;
      try {
        await this.#settle(needy);
        return;
      } catch (error) {
        this.#parts.log.warn(
          { executor, err: error },
          "agentctl is away; trying again",
        );
        await sleep(backoff(attempt, 100, 5000), this.#closing.signal);
      }
    }
  }

  async #unsettled(): Promise<SessionId[]> {
    const { store } = this.#parts;
    const rows = await store.executors();
    const live = rows.filter(
      ({ status }) => status === "starting" || status === "ready",
    );
    const found = new Set(live.map(({ session_id }) => session_id));
    let after: string | undefined;
    do {
      const page = await store.sessions({
        states: ["STARTING", "RUNNING"],
        limit: 500,
        ...(after === undefined ? {} : { after }),
      });
      for (const { id } of page.sessions) found.add(id);
      after = page.next ?? undefined;
    } while (after !== undefined);
    return [...found];
  }

  async #settle(states: readonly State[]): Promise<Set<SessionId>> {
    const executors = new Set(states.map(({ executor }) => executor));
    const alive = new Set<SessionId>();
    for (const executor of executors) {
      const place = await this.#parts.places.obtain(executor);
      const known = new Map(
        (await place.executions()).map(({ execution_id, alive }) => [
          execution_id,
          alive,
        ]),
      );
      for (const state of states)
        if (
          state.executor === executor &&
          (await this.#reattach(place, known, state))
        )
          alive.add(state.id);
    }
    this.#parts.pursuit.startOver(
      await Promise.all(states.map(({ id }) => this.#parts.engine.state(id))),
    );
    return alive;
  }

  /** Whether the session's agent is alive and heard again. */
  async #reattach(
    place: Place,
    known: ReadonlyMap<string, boolean>,
    state: State,
  ): Promise<boolean> {
    const { engine, places } = this.#parts;
    const { execution } = state;
    if (execution === null) return false;
    const alive = known.get(execution.id);
    if (alive === undefined) {
      // A launch that never arrived is launched again; whatever else agentctl does not know is gone.
      if (execution.phase.kind === "starting") return false;
      const report = {
        ...(await look(this.#parts, place, state)),
        agent: "gone" as const,
      };
      await engine.issue(state.id, { type: "session.recover", report });
      return false;
    }
    const started = performance.now();
    places.expect(execution.id, state.id);
    await place.attach({
      execution_id: execution.id,
      epoch: execution.epoch,
      from: execution.offset,
    });
    if (alive && execution.phase.kind === "ready")
      await engine.issue(state.id, {
        type: "execution.reattach",
        epoch: execution.epoch,
        took_ms: performance.now() - started,
      });
    return alive;
  }
}

/** Ends early, without a word, when the signal fires. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
