import { backoff } from "../kit/time/backoff.ts";
import { isFinal, pause } from "./retry.ts";

/** Asks again for as long as the reason may pass, or until the signal. For whoever had a server a moment ago: it comes back. */
export const patiently = async <T>(
  signal: AbortSignal | undefined,
  ask: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error)) throw error;
    }
    await pause(backoff(attempt, 100, 5_000, Math.random()), signal);
  }
};
