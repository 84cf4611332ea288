import type { Called } from "./worker-pool.ts";

/** Work on one workspace never overlaps: it shares a stat cache. */
export class WorkspaceLanes {
  readonly #last = new Map<string, Promise<void>>();

  /** The lane is free again when the thread is, which may be later than the answer. */
  async run<T>(key: string | null, work: () => Called<T>): Promise<T> {
    if (key === null) return work().answer;
    const before = this.#last.get(key);
    const { promise: mine, resolve: leave } = Promise.withResolvers<void>();
    this.#last.set(key, mine);
    await before;
    const { answer, settled } = work();
    void settled.then(() => {
      leave();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    });
    return answer;
  }
}
