import { isOneInsideTheOther } from "../../kit/files/is-inside.ts";
import { orAborted } from "../../kit/time/or-aborted.ts";

/**
 * One at a time in a directory, those above and beneath it included: a checkpoint must not see half of a rewind.
 * Others wait in the order they came.
 */
export class DirectoryLocks {
  readonly #queue: { path: string; left: Promise<void> }[] = [];

  /** Runs the work when the directory is free. Whoever is called off while waiting never runs. */
  async hold<T>(
    path: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const before = this.#queue.filter((each) =>
      isOneInsideTheOther(each.path, path),
    );
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const daemon = { path, left };
    this.#queue.push(daemon);
    try {
      const free = Promise.all(before.map((each) => each.left));
      await (signal === undefined ? free : orAborted(free, signal));
      return await work();
    } finally {
      // Who waits for us waits for those before us too, even when we gave up.
      void Promise.all(before.map((each) => each.left)).then(() => {
        this.#queue.splice(this.#queue.indexOf(daemon), 1);
        leave();
      });
    }
  }
}
