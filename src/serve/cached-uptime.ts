/** The machine's uptime, which is read from a file and asked for with every event. */

interface ReferenceClocks {
  /** The clock that people can set. */
  wall: () => number;
  /** One that nobody can set, cheap to read, which may stand still while the machine sleeps. */
  monotonic: () => number;
}

const EVERY_MS = 1000;

/**
 * Reads the uptime at most once a second and adds what has passed since. Where the two clocks do not agree on that, one was
 * set or the machine slept: then the uptime is read at once.
 */
export const cachedUptime = (
  uptime: () => number,
  { wall, monotonic }: ReferenceClocks,
): (() => number) => {
  let read = { uptime: uptime(), wall: wall(), monotonic: monotonic() };
  return () => {
    const passed = monotonic() - read.monotonic;
    const drift = wall() - read.wall - passed;
    if (passed >= 0 && passed < EVERY_MS && Math.abs(drift) < EVERY_MS)
      return read.uptime + passed;
    read = { uptime: uptime(), wall: wall(), monotonic: monotonic() };
    return read.uptime;
  };
};
