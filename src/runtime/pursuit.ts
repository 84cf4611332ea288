/**
 * Pursues what a session's state intends: one wish after the other, each once. What could not be done because agentctl
 * was away is pursued again when it is back.
 */
import type { SessionId } from "../contract/id.ts";
import type { Later } from "../kit/later.ts";
import type { Intent } from "../session/intend.ts";
import { intend, keyOf } from "../session/intend.ts";
import type { State } from "../session/state.ts";
import type { Bulletin } from "./bulletin.ts";
import type { Log } from "./ports.ts";
import { isStorageTrouble } from "./storage-trouble.ts";

/** How soon something is tried again that a full disk did not allow. */
const AGAIN_MS = 1000;

/** Does one intent for a session. */
export type React = (state: State, intent: Intent) => Promise<void>;

interface Pursued {
  state: State;
  settled: Set<string>;
  busy: Promise<void> | null;
}

export class Pursuit {
  readonly #react: React;
  readonly #later: Later;
  readonly #log: Log;
  readonly #sessions = new Map<SessionId, Pursued>();
  readonly #leave: () => void;

  constructor(bulletin: Bulletin, react: React, later: Later, log: Log) {
    this.#react = react;
    this.#later = later;
    this.#log = log;
    this.#leave = bulletin.onAny(({ after }) => this.pursue(after));
  }

  pursue(state: State): void {
    const pursued = this.#sessions.get(state.id) ?? {
      state,
      settled: new Set(),
      busy: null,
    };
    pursued.state = state;
    this.#sessions.set(state.id, pursued);
    pursued.busy ??= this.#work(pursued).finally(() => {
      pursued.busy = null;
      if (pursued.settled.size === 0) this.#sessions.delete(state.id);
    });
  }

  /** agentctl is back: what was done before may not have arrived. */
  startOver(states: Iterable<State>): void {
    for (const pursued of this.#sessions.values()) pursued.settled.clear();
    for (const state of states) this.pursue(state);
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
    this.#leave();
    return this.drain();
  }

  async #work(pursued: Pursued): Promise<void> {
    for (;;) {
      const intents = intend(pursued.state);
      const keys = new Set(intents.map(keyOf));
      for (const key of pursued.settled)
        if (!keys.has(key)) pursued.settled.delete(key);
      const next = intents.find(
        (intent) => !pursued.settled.has(keyOf(intent)),
      );
      if (next === undefined) return;
      pursued.settled.add(keyOf(next));
      try {
        await this.#react(pursued.state, next);
      } catch (error) {
        this.#log.error(
          { session_id: pursued.state.id, intent: next.kind, err: error },
          "could not do what the session needs",
        );
        if (isStorageTrouble(error)) this.#tryAgain(pursued, keyOf(next));
      }
    }
  }

  #tryAgain(pursued: Pursued, key: string): void {
    this.#later.after(AGAIN_MS, () => {
      pursued.settled.delete(key);
      this.pursue(pursued.state);
    });
  }
}
