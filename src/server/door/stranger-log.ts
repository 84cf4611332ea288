import type { Log } from "../../runtime/ports/home.ts";

/** How many lines those without a token may cause in so much time. */
export interface StrangerLimit {
  lines: number;
  ms: number;
}
const LIMIT: StrangerLimit = { lines: 20, ms: 60_000 };

/**
 * A log for what anybody can cause who reaches the port. The first lines of a minute are written as they are; of the
 * others only their number is, in one line when the minute is over or the server stops.
 */
export const strangerLog = (
  log: Log,
  closing: AbortSignal,
  { lines, ms }: StrangerLimit = LIMIT,
): ((facts: object, words: string) => void) => {
  let written = 0;
  let unwritten = 0;
  let timer: NodeJS.Timeout | null = null;
  const sumUp = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (unwritten > 0)
      log.warn(
        { requests: unwritten, seconds: ms / 1000 },
        "requests without a token, not logged one by one",
      );
    written = 0;
    unwritten = 0;
  };
  closing.addEventListener("abort", sumUp);
  return (facts, words) => {
    timer ??= setTimeout(sumUp, ms).unref();
    if (written < lines) {
      written += 1;
      log.warn(facts, words);
    } else unwritten += 1;
  };
};
