/** After a start, or when agentctl was away: finds again what lives, notices what does not, and goes on with both. */
import type { ExecutionId, SessionId } from "../contract/id.ts";
import { setTimeout as delay } from "node:timers/promises";
import { backoff } from "../kit/backoff.ts";
import type { AgentctlFacts } from "../session/agentctl.ts";
import type { Command } from "../session/command.ts";
import type { State } from "../session/state.ts";
import type { AgentMeans } from "./agent-session.ts";
import { factsOf } from "./agentctl-health.ts";
import { Attachments } from "./attachments.ts";
import { bringBackIdle } from "./bring-back-idle.ts";
import type { Engine } from "./engine.ts";
import { forgetEnded } from "./forget-ended.ts";
import { isLinkLost } from "./link-lost.ts";
import { lookIfThere } from "./look.ts";
import type { Places } from "./places.ts";
import type { Log, Place } from "./ports.ts";
import type { Pursuit } from "./pursuit.ts";
import { reasonOf } from "./reactors/reason.ts";
import { isSessionDamaged } from "./session-damaged.ts";
import { isSessionGone } from "./session-gone.ts";
import { settleExecution } from "./settle-execution.ts";
import type { Shelf } from "./shelf.ts";
import { isStorageTrouble } from "./storage-trouble.ts";

interface Parts extends AgentMeans {
  engine: Engine;
  places: Places;
  pursuit: Pursuit;
  shelf: Shelf;
  log: Log;
  /** Called once start-up has looked after what lives, or could not. */
  onSettled: () => void;
}

/** How long whoever wants something of a session waits for what its dead agent said last. */
const ENDING_MS = 10_000;
const PAGE = 500;

export class Recovery {
  readonly #parts: Parts;
  readonly #attachments = new Attachments();
  /** Executions that agentctl knows to be gone, until the journal knows it too. */
  readonly #ending = new Map<ExecutionId, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks after every session that had an execution or was waiting for one. Returns how many agents run. */
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
    const { log, pursuit } = this.#parts;
    const states = await this.#readable();
    try {
      const alive = await this.#settleAll(states);
      if (bringBack)
        for (const state of states)
          if (state.lifecycle.name === "RUNNING" && !alive.has(state.id))
            this.#follow(this.#bringBack(state.id));
      if (idleToo) this.#follow(this.#bringBackIdle(alive));
      return { running: alive.size };
    } catch (error) {
      log.warn({ err: error }, "agentctl is away; trying again");
      await this.#tellAway(states, { status: "error", ...reasonOf(error) });
      for (const executor of new Set(states.map((state) => state.executor)))
        this.lost(executor);
      if (idleToo) this.#follow(this.#bringBackIdle(new Set()));
      // Who waits for an agent asks for agentctl by itself.
      pursuit.startOver(states.filter(({ execution }) => execution === null));
      return { running: 0 };
    }
  }

  /** The connection to an agentctl was lost: get it back while sessions need it. */
  lost(executor: string): void {
    this.#follow(this.#regain(executor));
  }

  /** Someone wants something of a session: if nobody listens to its agent yet, or something is due, that comes first (REC-4). */
  async touch(session: SessionId): Promise<void> {
    const { engine, places, pursuit } = this.#parts;
    const state = await engine.state(session);
    const { execution } = state;
    if (execution === null) return pursuit.pursue(state);
    if (!places.expects(execution.id)) await this.#settle([state]);
    // It is known to be gone, and what it said last is still being taken in.
    await Promise.race([
      this.#ending.get(execution.id),
      sleep(ENDING_MS, this.#closing.signal),
    ]);
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
        await places.obtain(state.executor),
        state.execution.id,
      );
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
      // Whoever asked for a session that is not there, or is damaged, is told so.
      if (this.#closing.signal.aborted || isOutOfReach(error)) return;
      // Whoever asks next finds it, and what lives is attached then.
      if (isLinkLost(error))
        this.#parts.log.warn({ err: error }, "agentctl went away meanwhile");
      else this.#parts.log.error({ err: error }, "recovery could not go on");
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
    const state = await engine.state(session);
    if (state.lifecycle.name !== "WAITING_FOR_INPUT") return;
    const report = await lookIfThere(this.#parts, state);
    await engine.issueIf(
      session,
      ({ lifecycle }) => lifecycle.name === "WAITING_FOR_INPUT",
      { type: "session.resume", trigger: "startup", report },
    );
  }

  #bringBackIdle(alive: ReadonlySet<SessionId>): Promise<void> {
    return bringBackIdle(this.#parts, alive, this.#closing.signal);
  }

  async #regain(executor: string): Promise<void> {
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      const needy = [...this.#parts.shelf.values()].filter(
        (state) => state.executor === executor && state.execution !== null,
      );
      if (needy.length === 0) return;
      if (attempt === 0) await this.#tellAway(needy, { status: "starting" });
      try {
        await this.#settleAll(needy);
        return;
      } catch (error) {
        this.#parts.log.warn(
          { executor, err: error },
          "agentctl is away; trying again",
        );
        await this.#tellAway(needy, { status: "error", ...reasonOf(error) });
        await sleep(backoff(attempt, 100, 5000), this.#closing.signal);
      }
    }
  }

  /** What a damaged database does not give is left alone: whoever asks for it is told why. */
  async #readable(): Promise<State[]> {
    const { engine, log } = this.#parts;
    const skip = (id: SessionId | null) => (error: unknown) => {
      if (isSessionGone(error)) return [];
      log.error(
        { session_id: id, err: error },
        "could not be read; left alone",
      );
      return [];
    };
    const sessions = await this.#unsettled().catch(skip(null));
    const read = sessions.map((id) =>
      engine.state(id).then((state) => [state], skip(id)),
    );
    return (await Promise.all(read)).flat();
  }

  /** All of them before the first is settled, which changes the list. */
  async #unsettled(): Promise<SessionId[]> {
    const { store } = this.#parts;
    const found: SessionId[] = [];
    for (let last: SessionId | null = null; ;) {
      const page: SessionId[] = await store.live(last, PAGE);
      found.push(...page);
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return found;
    }
  }

  /** The same for everybody, when agentctl was reached anew; then what has ended is forgotten. */
  async #settleAll(states: readonly State[]): Promise<Set<SessionId>> {
    const { places } = this.#parts;
    const alive = await this.#settle(states);
    for (const executor of new Set(states.map((state) => state.executor))) {
      const place = await places.obtain(executor);
      await forgetEnded(this.#parts, place, await place.executions());
    }
    return alive;
  }

  /** Attaches what lives and concludes what does not. A session that cannot be settled does not hold up the others. */
  async #settle(states: readonly State[]): Promise<Set<SessionId>> {
    const { places, pursuit, log } = this.#parts;
    const parts = {
      ...this.#parts,
      attachments: this.#attachments,
      onEnding: (session: SessionId, id: ExecutionId) =>
        this.#awaitEnd(session, id),
      factsOf: (place: Place, state: State) =>
        factsOf(this.#parts, place, state),
      tell: (state: State, status: "reached" | "ready", facts: AgentctlFacts) =>
        this.#tell(state, { status, facts }),
    };
    const alive = new Set<SessionId>();
    for (const executor of new Set(states.map((state) => state.executor))) {
      const place = await places.obtain(executor);
      const known = await place.executions();
      for (const state of states.filter((each) => each.executor === executor))
        try {
          if (await settleExecution(parts, place, known, state))
            alive.add(state.id);
        } catch (error) {
          if (isLinkLost(error)) throw error;
          if (await this.#hasMovedOn(state)) continue;
          log.error(
            { session_id: state.id, err: error },
            "could not settle a session; recover it by request",
          );
        }
    }
    const now = await Promise.all(states.map(({ id }) => this.#stateNow(id)));
    pursuit.startOver(now.filter((state) => state !== null));
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

  #awaitEnd(session: SessionId, id: ExecutionId): void {
    if (this.#ending.has(id)) return;
    const hasEnded = ({ execution }: State): boolean => execution?.id !== id;
    const ending = this.#parts.engine
      .until(session, hasEnded, this.#closing.signal)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => this.#ending.delete(id));
    this.#ending.set(id, ending);
  }

  /** Somebody else has settled it meanwhile: its execution has ended, and agentctl may have forgotten it. */
  async #hasMovedOn({ id, execution }: State): Promise<boolean> {
    const now = await this.#stateNow(id);
    return now?.execution?.id !== execution?.id;
  }
}

type AgentctlNews = Extract<Command, { type: "agentctl.report" }>["agentctl"];

const isOutOfReach = (error: unknown): boolean =>
  isSessionGone(error) || isSessionDamaged(error);

/** Ends early, without a word, when the signal fires. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
