import { setTimeout as delay } from "node:timers/promises";
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import type { State } from "../../session/state/state.ts";
import type { Engine } from "../sessions/session-journal.ts";

/** How long whoever wants something of a session waits for what its dead agent said last. */
const ENDING_MS = 10_000;

/** Executions that agentctl knows to be gone, until the journal knows it too. */
export class Endings {
  readonly #engine: Engine;
  readonly #closing: AbortSignal;
  readonly #underWay = new Map<ExecutionId, Promise<void>>();

  constructor(engine: Engine, closing: AbortSignal) {
    this.#engine = engine;
    this.#closing = closing;
  }

  begin(session: SessionId, id: ExecutionId): void {
    if (this.#underWay.has(id)) return;
    const hasEnded = ({ execution }: State): boolean => execution?.id !== id;
    const ending = this.#engine
      .until(session, hasEnded, this.#closing)
      .then(ignore, ignore)
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, ending);
  }

  /** Resolves when what it said last is taken in, after some time, or when the server closes; at once where it is not ending. */
  async wait(id: ExecutionId): Promise<void> {
    const ending = this.#underWay.get(id);
    if (ending === undefined) return;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#closing, over.signal]);
    const late = delay(ENDING_MS, undefined, { signal }).catch(ignore);
    await Promise.race([ending, late]);
    over.abort();
  }
}

const ignore = (): void => undefined;
