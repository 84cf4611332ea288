/**
 * Pursues what a session's state intends: one wish after the other, each once. What failed is tried again after a
 * growing pause; what may not have arrived is done again when agentctl is back.
 */
import type { SessionId } from "../../contract/base/id.ts";
import { backoff } from "../../kit/time/backoff.ts";
import type { Later } from "../../kit/time/later.ts";
import type { Intent } from "../../session/intend.ts";
import { intend, keyOf } from "../../session/intend.ts";
import type { State } from "../../session/state/state.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import type { Log } from "../ports/home.ts";
import { isDamage } from "../failures/session-damaged.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import type { SessionCommits } from "./session-journal.ts";

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
  isBusy: boolean;
  /** Its session is not looked after here any more. */
  isLeft: boolean;
}

export class IntentRunner {
  readonly #react: React;
  readonly #later: Later;
  readonly #log: Log;
  readonly #sessions = new Map<SessionId, Pursued>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #leave: () => void;
  #closed = false;

  constructor(
    commits: SessionCommits,
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
      isBusy: false,
      isLeft: false,
    };
    // Who starts over may have read the state before something else happened: that must not be forgotten.
    if (state.seq >= pursued.state.seq) pursued.state = state;
    this.#sessions.set(state.id, pursued);
    if (pursued.isBusy) return;
    pursued.isBusy = true;
    const work = Promise.resolve().then(() => this.#work(pursued));
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
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
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  kept(): Iterable<SessionId> {
    return this.#sessions.keys();
  }

  /** What is being done for them is finished or fails; nothing is begun or tried again. */
  letGo(sessions: ReadonlySet<SessionId>): void {
    for (const session of sessions) {
      const pursued = this.#sessions.get(session);
      if (pursued !== undefined) this.#leaveAlone(pursued);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    return this.drain();
  }

  async #work(pursued: Pursued): Promise<void> {
    for (;;) {
      const isOver = this.#closed || pursued.isLeft;
      const next = isOver ? undefined : nextOf(pursued);
      if (next === undefined) {
        // In the same tick: whoever comes later finds it free.
        pursued.isBusy = false;
        if (pursued.settled.size === 0 && !pursued.isLeft)
          this.#sessions.delete(pursued.state.id);
        return;
      }
      pursued.settled.add(keyOf(next));
      try {
        await this.#react(pursued.state, next, failingMs(pursued));
        pursued.failures = 0;
        pursued.failingSince = null;
      } catch (error) {
        if (isDamage(error)) this.#giveUp(pursued, next, error);
        // It is gone, or whoever has it now does what it needs.
        else if (isSuperseded(error) || isSessionGone(error))
          this.#leaveAlone(pursued);
        else this.#retry(pursued, next, error);
      }
    }
  }

  #leaveAlone(pursued: Pursued): void {
    pursued.isLeft = true;
    const { id } = pursued.state;
    if (this.#sessions.get(id) === pursued) this.#sessions.delete(id);
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
      if (pursued.isLeft) return;
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
