/**
 * Pursues what states intend: for each journal one intent after the other, each once. What failed is tried again after a
 * growing pause; what may not have arrived is done again when somebody says so.
 */
import { RepriseError } from "../contract/problem/problem.ts";
import { backoff } from "../kit/time/backoff.ts";
import type { Later } from "../kit/time/later.ts";
import type { CommitFeed } from "./commit-feed.ts";
import type { Journaled, Kind } from "./journaled.ts";
import { isSuperseded } from "./superseded.ts";

/** Does one intent, which has failed for so long already. A rejection means that it is to be tried again. */
export type React<K extends Kind, Intent> = (
  state: K["state"],
  intent: Intent,
  failingMs: number,
) => Promise<void>;

interface Parts<K extends Kind, Intent> {
  kind: Pick<Journaled<K>, "idOf" | "isDamaged">;
  /** What a state intends, the most urgent first. */
  intend: (state: K["state"]) => readonly Intent[];
  /** Two intents with the same key are the same. */
  keyOf: (intent: Intent) => string;
  react: React<K, Intent>;
  /** The thing that it was done for was removed: there is nothing left to do. */
  isGone: (error: unknown) => boolean;
  /** What the log calls the id. */
  label: string;
  later: Later;
  log: Log;
}

interface Log {
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

interface Pursued<K extends Kind> {
  state: K["state"];
  /** Done, or waiting for another try. */
  settled: Set<string>;
  failures: number;
  /** Of the monotonic clock: since when nothing has succeeded. */
  failingSince: number | null;
  isBusy: boolean;
  /** It is not looked after here any more. */
  isLeft: boolean;
}

export class IntentRunner<K extends Kind, Intent> {
  readonly #parts: Parts<K, Intent>;
  readonly #pursued = new Map<K["id"], Pursued<K>>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #leave: () => void;
  #closed = false;

  constructor(commits: CommitFeed<K>, parts: Parts<K, Intent>) {
    this.#parts = parts;
    this.#leave = commits.onAny(({ after }) => this.pursue(after));
  }

  pursue(state: K["state"]): void {
    if (this.#closed) return;
    const id = this.#parts.kind.idOf(state);
    const pursued = this.#pursued.get(id) ?? {
      state,
      settled: new Set(),
      failures: 0,
      failingSince: null,
      isBusy: false,
      isLeft: false,
    };
    // Who starts over may have read the state before something else happened: that must not be forgotten.
    if (state.seq >= pursued.state.seq) pursued.state = state;
    this.#pursued.set(id, pursued);
    if (pursued.isBusy) return;
    pursued.isBusy = true;
    const work = Promise.resolve().then(() => this.#work(pursued));
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  /** What was done for these may not have arrived. */
  startOver(states: Iterable<K["state"]>): void {
    for (const state of states) {
      this.#pursued.get(this.#parts.kind.idOf(state))?.settled.clear();
      this.pursue(state);
    }
  }

  /** Resolves when nothing is being done. */
  async drain(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  kept(): Iterable<K["id"]> {
    return this.#pursued.keys();
  }

  /** What is being done for them is finished or fails; nothing is begun or tried again. */
  letGo(ids: ReadonlySet<K["id"]>): void {
    for (const id of ids) {
      const pursued = this.#pursued.get(id);
      if (pursued !== undefined) this.#leaveAlone(pursued);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#leave();
    return this.drain();
  }

  async #work(pursued: Pursued<K>): Promise<void> {
    const { kind, keyOf, react, isGone } = this.#parts;
    for (;;) {
      const isOver = this.#closed || pursued.isLeft;
      const next = isOver ? undefined : this.#next(pursued);
      if (next === undefined) {
        // In the same tick: whoever comes later finds it free.
        pursued.isBusy = false;
        if (pursued.settled.size === 0 && !pursued.isLeft)
          this.#pursued.delete(kind.idOf(pursued.state));
        return;
      }
      pursued.settled.add(keyOf(next));
      try {
        await react(pursued.state, next, failingMs(pursued));
        pursued.failures = 0;
        pursued.failingSince = null;
      } catch (error) {
        if (this.#isDamage(error)) this.#giveUp(pursued, next, error);
        // It is gone, or whoever has it now does what it needs.
        else if (isSuperseded(error) || isGone(error))
          this.#leaveAlone(pursued);
        else this.#retry(pursued, next, error);
      }
    }
  }

  /** The first intent that is not settled; what is intended no more is forgotten. */
  #next({ state, settled }: Pursued<K>): Intent | undefined {
    const { intend, keyOf } = this.#parts;
    const intents = intend(state);
    const keys = new Set(intents.map(keyOf));
    for (const key of settled) if (!keys.has(key)) settled.delete(key);
    return intents.find((intent) => !settled.has(keyOf(intent)));
  }

  #leaveAlone(pursued: Pursued<K>): void {
    pursued.isLeft = true;
    const id = this.#parts.kind.idOf(pursued.state);
    if (this.#pursued.get(id) === pursued) this.#pursued.delete(id);
  }

  #isDamage(error: unknown): boolean {
    if (this.#parts.kind.isDamaged(error)) return true;
    return error instanceof RepriseError && error.code === "storage_damaged";
  }

  /** What is damaged is so the next time, too. */
  #giveUp(pursued: Pursued<K>, intent: Intent, error: unknown): void {
    this.#parts.log.error(
      { ...this.#facts(pursued, intent), err: error },
      "could not do what is needed; the journal is damaged",
    );
  }

  #retry(pursued: Pursued<K>, intent: Intent, error: unknown): void {
    const { later, log, keyOf } = this.#parts;
    const pause_ms = backoff(pursued.failures, 100, 5000);
    pursued.failures += 1;
    pursued.failingSince ??= performance.now();
    log.warn(
      { ...this.#facts(pursued, intent), pause_ms, err: error },
      "could not do what is needed; trying again",
    );
    later.after(pause_ms, () => {
      if (pursued.isLeft) return;
      pursued.settled.delete(keyOf(intent));
      this.pursue(pursued.state);
    });
  }

  #facts({ state }: Pursued<K>, intent: Intent): object {
    const { label, kind, keyOf } = this.#parts;
    return { [label]: kind.idOf(state), intent: keyOf(intent) };
  }
}

const failingMs = ({
  failingSince,
}: {
  failingSince: number | null;
}): number => (failingSince === null ? 0 : performance.now() - failingSince);
