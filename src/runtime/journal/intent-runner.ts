/**
 * Pursues what a session's state intends: one wish after the other, each once. What failed is tried again after a
 * growing pause; what may not have arrived is done again when agentctl is back.
 */
import type { SessionId } from "../../contract/id.ts";
import { backoff } from "../../kit/time/backoff.ts";
import type { Later } from "../../kit/time/later.ts";
import type { Intent } from "../../session/intend.ts";
import { intend, keyOf } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import type { CommitFeed } from "./commit-feed.ts";
import type { Log } from "../ports/home.ts";
import { isDamage } from "../failures/session-damaged.ts";
import { isSessionGone } from "../failures/session-gone.ts";

/** Does one intent for a session, which has failed for so long already. A rejection means that it is to be tried again. */
export type React = (
  state: State,
  intent: Intent,
  failingMs: number,
) => Promise<void>;

interface Pursued {
  state: State;
  /** Done, or waiting for another try. */
  settled: Set<string>;
  failures: number;
  /** Of the monotonic clock: since when nothing has succeeded. */
  failingSince: number | null;
  busy: Promise<void> | null;
}

export class IntentRunner {
  readonly #react: React;
  readonly #later: Later;
  readonly #log: Log;
  readonly #sessions = new Map<SessionId, Pursued>();
  readonly #leave: () => void;
  #closed = false;

  constructor(
    commits: CommitFeed,
    parts: { react: React; later: Later; log: Log },
  ) {
    this.#react = parts.react;
    this.#later = parts.later;
    this.#log = parts.log;
    this.#leave = commits.onAny(({ after }) => this.pursue(after));
  }

  pursue(state: State): void {
    if (this.#closed) return;
    const pursued = this.#sessions.get(state.id) ?? {
      state,
      settled: new Set(),
      failures: 0,
      failingSince: null,
      busy: null,
    };
    // Who starts over may have read the state before something else happened: that must not be forgotten.
    if (state.seq >= pursued.state.seq) pursued.state = state;
    this.#sessions.set(state.id, pursued);
    // In a later tick, so that `busy` is set before it can be cleared.
    pursued.busy ??= Promise.resolve().then(() => this.#work(pursued));
  }

  /** agentctl is back: what was done for these sessions may not have arrived. */
  startOver(states: Iterable<State>): void {
    for (const state of states) {
      this.#sessions.get(state.id)?.settled.clear();
      this.pursue(state);
    }
  }

  /** Resolves when nothing is being done. */
  async drain(): Promise<void> {
    for (;;) {
      const busy = [...this.#sessions.values()].flatMap(
        ({ busy }) => busy ?? [],
      );
      if (busy.length === 0) return;
      await Promise.all(busy);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    return this.drain();
  }

  async #work(pursued: Pursued): Promise<void> {
    for (;;) {
      const next = this.#closed ? undefined : nextOf(pursued);
      if (next === undefined) {
        // In the same tick: whoever comes later finds it free.
        pursued.busy = null;
        if (pursued.settled.size === 0) this.#sessions.delete(pursued.state.id);
        return;
      }
      pursued.settled.add(keyOf(next));
      try {
        await this.#react(pursued.state, next, failingMs(pursued));
        pursued.failures = 0;
        pursued.failingSince = null;
      } catch (error) {
        if (isDamage(error)) this.#giveUp(pursued, next, error);
        else if (!isSessionGone(error)) this.#retry(pursued, next, error);
      }
    }
  }

  /** What is damaged is so the next time, too. */
  #giveUp({ state }: Pursued, { kind }: Intent, error: unknown): void {
    this.#log.error(
      { session_id: state.id, intent: kind, err: error },
      "could not do what the session needs; its journal is damaged",
    );
  }

  #retry(pursued: Pursued, intent: Intent, error: unknown): void {
    const { id } = pursued.state;
    const pause_ms = backoff(pursued.failures, 100, 5000);
    pursued.failures += 1;
    pursued.failingSince ??= performance.now();
    this.#log.warn(
      { session_id: id, intent: intent.kind, pause_ms, err: error },
      "could not do what the session needs; trying again",
    );
    this.#later.after(pause_ms, () => {
      pursued.settled.delete(keyOf(intent));
      this.pursue(pursued.state);
    });
  }
}

const failingMs = ({ failingSince }: Pursued): number =>
  failingSince === null ? 0 : performance.now() - failingSince;

/** The first wish that is not settled; what is wished no more is forgotten. */
const nextOf = ({ state, settled }: Pursued): Intent | undefined => {
  const intents = intend(state);
  const keys = new Set(intents.map(keyOf));
  for (const key of settled) if (!keys.has(key)) settled.delete(key);
  return intents.find((intent) => !settled.has(keyOf(intent)));
};
