/**
 * wish → decide(state, command, at) → events → one transaction → publish.
 * The only writer of sessions. Commands of one session go one at a time; different sessions share commits in the store.
 */
import type { Event } from "../../contract/event.ts";
import type { SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { Command, Create } from "../../session/state/command.ts";
import { decideCreate } from "../../session/decide/create.ts";
import { decide } from "../../session/decide/decide.ts";
import type { Decision } from "../../session/decide/decision.ts";
import { evolve } from "../../session/evolve/evolve.ts";
import {
  missingContents,
  readState,
  withContents,
  writeState,
} from "../../session/state/snapshot.ts";
import type { State } from "../../session/state/state.ts";
import { STATE_VERSION } from "../../session/state/state.ts";
import { derivedBy } from "../../session/view/derive.ts";
import type { CommitFeed } from "./commit-feed.ts";
import { eventsUpTo } from "./journal-reader.ts";
import type { Lanes } from "../../kit/time/lanes.ts";
import type { Append, Receipt, Store } from "../ports/store.ts";
import type { Clock } from "../ports/home.ts";
import { isMovedOn } from "../failures/moved-on.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import type { Shelf } from "./shelf.ts";

/** The agent's words do not follow on what the journal has. */
export class OutputGap extends Error {
  readonly expected: number;
  constructor(expected: number) {
    super(`expected output from byte ${expected}`);
    this.name = "OutputGap";
    this.expected = expected;
  }
}

/** What is committed along with a decision's events. */
interface CommitExtras {
  /** Made from the state after the decision: the first answer is part of the transaction. */
  receipt?: (after: State) => Receipt;
  env?: Record<string, string>;
}

/** What work in a session's lane comes to: at most one command, issued behind all of it. */
export interface Planned<T> {
  command: Command | null;
  extras?: CommitExtras;
  /** What the caller gets, from the state behind the command. */
  answer: (after: State) => T;
}

export class Engine {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lanes: Lanes;
  readonly #shelf: Shelf;
  readonly #commits: CommitFeed;
  readonly #onSuperseded: () => void;
  readonly term: number;

  constructor(parts: {
    store: Store;
    clock: Clock;
    lanes: Lanes;
    shelf: Shelf;
    commits: CommitFeed;
    term: number;
    /** Another server owns the journal now. */
    onSuperseded: () => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#lanes = parts.lanes;
    this.#shelf = parts.shelf;
    this.#commits = parts.commits;
    this.#onSuperseded = parts.onSuperseded;
    this.term = parts.term;
  }

  create(create: Create, extras: CommitExtras = {}): Promise<State> {
    return this.#lanes.run(create.session_id, () =>
      this.#commit(null, decideCreate(create, this.#now()), extras),
    );
  }

  /** Takes in a session with its whole journal. It must not be here. */
  admit(
    decision: Extract<Decision, { kind: "events" }>,
    extras: CommitExtras = {},
  ): Promise<State> {
    return this.#lanes.run(decision.after.id, () =>
      this.#commit(null, decision, extras),
    );
  }

  /** Removes a session for good if it may still be removed. Says whether it was. */
  purge(
    session: SessionId,
    mayGo: (state: State) => Promise<boolean>,
    first: (state: State) => Promise<void>,
  ): Promise<boolean> {
    return this.#lanes.run(session, async () => {
      const state = await this.#load(session);
      if (!(await mayGo(state))) return false;
      await first(state);
      await this.#store.purge(this.term, session);
      this.#shelf.drop(session);
      return true;
    });
  }

  issue(
    session: SessionId,
    command: Command,
    extras?: CommitExtras,
  ): Promise<State> {
    return this.#decided(session, () =>
      this.#issueNow(session, command, extras),
    );
  }

  /** Refuses what would be refused now. It changes nothing. */
  async check(session: SessionId, command: Command): Promise<void> {
    const decision = decide(await this.state(session), command, this.#now());
    if (decision.kind === "refused") throw refusal(decision);
  }

  /** Issues it if `holds` is still true then; says whether it was. */
  issueIf(
    session: SessionId,
    holds: (state: State) => boolean,
    command: Command,
  ): Promise<boolean> {
    return this.#decided(session, async () => {
      if (!holds(await this.#load(session))) return false;
      await this.#issueNow(session, command);
      return true;
    });
  }

  /**
   * Runs `plan` alone in the session's lane, then issues what it comes to. When another writer went on meanwhile, both are
   * done again.
   */
  exclusively<T>(
    session: SessionId,
    plan: (state: State) => Promise<Planned<T>>,
  ): Promise<T> {
    return this.#decided(session, async () => {
      const state = await this.#load(session);
      const { command, extras, answer } = await plan(state);
      return answer(
        command === null
          ? state
          : await this.#issueNow(session, command, extras),
      );
    });
  }

  /** The state as of the last commit; refuses with `session_not_found`. */
  async state(session: SessionId): Promise<State> {
    return (
      this.#shelf.get(session) ??
      this.#lanes.run(session, () => this.#load(session))
    );
  }

  /** Resolves with the first state that fits, now or later; rejects when the signal fires. */
  until(
    session: SessionId,
    fits: (state: State) => boolean,
    signal: AbortSignal,
  ): Promise<State> {
    return new Promise((resolve, reject) => {
      const leave = this.#commits.on(session, ({ after }) => {
        if (fits(after)) settle(() => resolve(after));
      });
      const abort = (): void => settle(() => reject(asError(signal.reason)));
      const settle = (finish: () => void): void => {
        leave();
        signal.removeEventListener("abort", abort);
        finish();
      };
      signal.addEventListener("abort", abort);
      if (signal.aborted) return abort();
      this.state(session).then(
        (state) => {
          if (fits(state)) settle(() => resolve(state));
        },
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  /** Does it in the session's lane. Where another writer went on, the session is read anew and it is done again (REC-57). */
  #decided<T>(session: SessionId, work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(session, async () => {
      for (let tries = 1; ; tries++)
        try {
          return await work();
        } catch (error) {
          if (!isMovedOn(error) || tries === MAX_TRIES) throw error;
        }
    });
  }

  async #issueNow(
    session: SessionId,
    command: Command,
    extras: CommitExtras = {},
  ): Promise<State> {
    const state = await this.#load(session);
    return this.#commit(state, decide(state, command, this.#now()), extras);
  }

  async #load(session: SessionId): Promise<State> {
    const known = this.#shelf.get(session);
    if (known !== undefined) return known;
    const stored = await this.#store.load(session, STATE_VERSION);
    if (stored === null)
      throw new RepriseError(
        "session_not_found",
        `There is no session ${session}.`,
      );
    let state: State | null =
      stored.snapshot === null ? null : readState(stored.snapshot.state);
    const snapshot = state?.seq ?? 0;
    for await (const event of eventsUpTo(this.#store, session, {
      after: snapshot,
      last: stored.last_seq,
    }))
      state = evolve(state, event);
    if (state === null) throw new Error(`the journal of ${session} is empty`);
    const whole = await this.#withContents(state, snapshot);
    const before = this.#shelf.doubted(session);
    this.#shelf.put(whole);
    if (before !== undefined && before.seq < whole.seq)
      await this.#tellSince(before, whole);
    return whole;
  }

  /** A change was made though nobody heard so: whoever follows, or acts on what happens, learns of it now. */
  async #tellSince(before: State, after: State): Promise<void> {
    const events: Event[] = [];
    const untold = { after: before.seq, last: after.seq };
    for await (const event of eventsUpTo(this.#store, after.id, untold))
      events.push(event);
    const { view } = derivedBy(events, before, after, this.#now());
    this.#commits.publish({ session: after.id, events, before, after, view });
  }

  /** What a snapshot only names is read from the journal, where it is checked like every event. */
  async #withContents(state: State, snapshot: number): Promise<State> {
    const events: Event[] = [];
    for (const seq of missingContents(state, snapshot)) {
      const one = { after: seq - 1, last: seq };
      for await (const event of eventsUpTo(this.#store, state.id, one))
        events.push(event);
    }
    return withContents(state, snapshot, events);
  }

  async #commit(
    before: State | null,
    decision: Decision,
    extras: CommitExtras,
  ): Promise<State> {
    if (decision.kind === "refused") throw refusal(decision);
    if (decision.kind === "output_gap") throw new OutputGap(decision.expected);
    const { events, after } = decision;
    if (events.length === 0 && extras.receipt === undefined) return after;

    const change = this.#change(before, after, events, extras);
    try {
      await this.#store.append(change);
    } catch (error) {
      // Whether it is durable is not known: the next command reads the journal. Nothing is done for a damaged one.
      if (isSessionDamaged(error)) this.#shelf.drop(after.id);
      else this.#shelf.doubt(after.id);
      if (error instanceof RepriseError && error.code === "superseded")
        this.#onSuperseded();
      throw error;
    }
    this.#shelf.put(after);
    const { view } = change;
    this.#commits.publish({ session: after.id, events, before, after, view });
    return after;
  }

  #change(
    before: State | null,
    after: State,
    events: readonly Event[],
    extras: CommitExtras,
  ): Append {
    return {
      term: this.term,
      session_id: after.id,
      after: before?.seq ?? 0,
      events,
      ...derivedBy(events, before, after, this.#now()),
      snapshot: isSnapshotDue(before, after, events)
        ? {
            version: STATE_VERSION,
            seq: after.seq,
            state: writeState(after),
          }
        : null,
      receipt: extras.receipt?.(after) ?? null,
      env: extras.env ?? null,
    };
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }
}

/** How often a decision is made again because another writer was quicker. */
const MAX_TRIES = 20;

/** In a turn that goes on and on, after so many events or so much output: reading them again is what a restart waits for. */
const SNAPSHOT_EVENTS = 2000;
const SNAPSHOT_BYTES = 8 * 1024 * 1024;

const isSnapshotDue = (
  before: State | null,
  after: State,
  events: readonly Event[],
): boolean =>
  events.some(endsTurn) ||
  hasPassed(SNAPSHOT_EVENTS, before?.seq, after.seq) ||
  hasPassed(SNAPSHOT_BYTES, before?.execution?.offset, after.execution?.offset);

/** Whether a multiple of this lies between two numbers. */
const hasPassed = (step: number, before = 0, after = 0): boolean =>
  Math.floor(before / step) < Math.floor(after / step);

const endsTurn = (event: Event): boolean =>
  event.type === "session.turn.ended" ||
  event.type === "session.turn.interrupted";

const refusal = ({
  code,
  detail,
  state,
}: Extract<Decision, { kind: "refused" }>): RepriseError =>
  new RepriseError(code, detail, { state });

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason));
