/**
 * Whether the machine was there. Virtual machines are not all the time: some lose their processors for a tenth of a
 * second now and then, and count it as ours. A figure about us leaves those moments out, and says how many they were.
 */
import { Worker } from "node:worker_threads";
import type { Span } from "../clock.ts";
import { absences, overlaps, type Beat } from "./absences.ts";

export class Pulse implements AsyncDisposable {
  readonly #thread = new Worker(new URL("pulse-thread.ts", import.meta.url));

  /** Those until now. */
  async absences(): Promise<readonly Span[]> {
    const { promise, resolve } = Promise.withResolvers<Beat[]>();
    this.#thread.once("message", resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#thread.postMessage(null);
    return absences(await promise);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate();
  }
}

/** Those in which the machine was there all the while. */
export const spared = (
  spans: readonly Span[],
  absences: readonly Span[],
): Span[] =>
  spans.filter((span) => !absences.some((each) => overlaps(each, span)));
