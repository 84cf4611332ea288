import { elapsedMs } from "../../kit/time/elapsed.ts";

/** Clocks are corrected by less than this all the time; a larger step back is deliberate. */
const SMALL_MS = 60_000;

/** The stamp of what follows on an event with the stamp `newest`, when the clock shows `now` (SES-73). */
export const stampAfter = (newest: string, now: string): string => {
  const back = elapsedMs(now, newest);
  return back > 0 && back <= SMALL_MS ? newest : now;
};
