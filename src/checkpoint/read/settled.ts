/**
 * Whether every later change of an entry would give it newer times. Pure. The facts behind these rules are in
 * docs/decisions/file-times.md.
 */

/** The clock of a file system advances in ticks of a few milliseconds and lags behind ours. */
const FINE_MS = 50;
/** A time of whole seconds comes from a file system that counts seconds, or two seconds at a time as FAT does. */
const COARSE_MS = 2000 + FINE_MS;
/** Two clocks are never read at the same moment. */
const CLOCK_SLACK_MS = 1000;

/** What the clocks say when an entry is read. */
export interface Moment {
  /** Our clock when the scan began. */
  startedAt: number;
  /** Our clock now. It is earlier than `startedAt` when somebody has set it back. */
  now: number;
  /** The newest time seen before on a file system whose clock is not ours; otherwise infinite. */
  newest: number;
}

/**
 * Whether the entry may change again and keep this time. Both clocks have to be past it: ours may be ahead of that of
 * a file server, and that one may have been set back.
 */
export const isYoung = (time: number, moment: Moment): boolean =>
  time >=
  Math.min(moment.startedAt, moment.now, moment.newest) - windowOf(time);

/**
 * Whether an entry that was read now, and had this time so long ago already, cannot get the same time again: whatever
 * the clock of its file system shows, it has moved on since. A clock that was set back shows whole seconds twice.
 */
export const isPast = (
  time: number,
  { elapsed, now }: { elapsed: number; now: number },
): boolean => elapsed > windowOf(time) && !(isCoarse(time) && time >= now);

/** For so long after a time another change may leave the same time. */
export const windowOf = (time: number): number =>
  isCoarse(time) ? COARSE_MS : FINE_MS;

export const isCoarse = (time: number): boolean => time % 1000 === 0;

/** A moment by a clock that people can set, and by one that only counts. Both in milliseconds. */
export interface Instant {
  wall: number;
  uptime: number;
}

/** How long ago that was. Zero when it cannot be told, because the machine was started since. */
export const elapsedSince = (then: Instant, now: Instant): number =>
  Math.max(0, now.uptime - then.uptime);

/** Whether the clock may have shown the same second twice since then. */
export const wasSetBack = (then: Instant, now: Instant): boolean => {
  const elapsed = now.uptime - then.uptime;
  return elapsed < 0 || now.wall - then.wall < elapsed - CLOCK_SLACK_MS;
};
