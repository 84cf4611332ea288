/** Trying again for a link, wherever it leads to. */
import { setTimeout as delay } from "node:timers/promises";
import { backoff } from "../../kit/time/backoff.ts";

/** What one try came to: it, or that another one is made, at once or after a pause. */
export type Attempt<T extends object> = T | "again" | "later";

/** Null when it has been tried often enough. */
export const attempts = async <T extends object>(
  most: number,
  signal: AbortSignal,
  attempt: (number: number) => Promise<Attempt<T>>,
): Promise<T | null> => {
  for (let number = 0; number < most; number++) {
    const found = await attempt(number);
    if (typeof found === "object") return found;
    if (found === "later")
      await delay(backoff(number, 50, 1000), null, { signal });
  }
  return null;
};
