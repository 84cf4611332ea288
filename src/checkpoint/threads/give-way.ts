/** How long it works before it looks round. */
const LOOK_MS = 2;
/** Whoever waited for a processor that long keeps away from it so many times longer. */
const TIMES = 8;
const MAX_PAUSE_MS = 40;
/** Shorter ones are not worth the trouble. */
const LEAST_PAUSE_MS = 0.2;

/** Of the thread that gives way. */
export interface Clocks {
  now: () => number;
  /** How long it had to wait for a processor until now. */
  waited: () => number;
  pause: (ms: number) => void;
}

/**
 * Leaves the processors to those who hear what agents say, for `forMs` at most. Who had to wait for one is not the only
 * one who wants it: it pauses, the longer the more it had to wait. Where there is room for all nobody waits. The result
 * is to be called often.
 */
export const givingWay = (
  forMs: number,
  { now, waited, pause }: Clocks,
): (() => void) => {
  const until = now() + forMs;
  let lookedAt = now();
  let waitedThen = waited();
  return () => {
    const time = now();
    if (time - lookedAt < LOOK_MS || time > until) return;
    const ms = Math.min((waited() - waitedThen) * TIMES, MAX_PAUSE_MS);
    if (ms >= LEAST_PAUSE_MS) pause(ms);
    lookedAt = now();
    waitedThen = waited();
  };
};
