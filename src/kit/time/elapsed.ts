/** Milliseconds between two ISO times. */
export const elapsedMs = (from: string, to: string): number =>
  Date.parse(to) - Date.parse(from);

/** The ISO time so many milliseconds after another. */
export const laterBy = (time: string, ms: number): string =>
  new Date(Date.parse(time) + ms).toISOString();

/** An ISO time in the one form that sorts as text. */
export const inUtc = (time: string): string => new Date(time).toISOString();

/** A time to wait for; one that has passed already is none. */
export const laterThan = (at: string, time: string | null): string | null =>
  time !== null && elapsedMs(at, time) > 0 ? time : null;
