/** Times in words. What is said of a time depends on when it is said: `now` is always given. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short" });
const dayAndMonth = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
});
const longDayAndMonth = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
});
const withYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** In lists: `now`, `12 min`, `3 h`, `Mon`, `12 Nov`, `12 Nov 2025`. */
export const age = (at: string | number, now: number): string => {
  const then = msOf(at);
  const passed = now - then;
  if (passed < MINUTE) return "now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`;
  if (daysBetween(then, now) < 7) return weekday.format(then);
  return new Date(then).getFullYear() === new Date(now).getFullYear()
    ? dayAndMonth.format(then)
    : withYear.format(then);
};

/** `12:47`, or `12:47:03`. */
export const clock = (
  at: string | number,
  { seconds = false }: { seconds?: boolean } = {},
): string => {
  const date = new Date(msOf(at));
  const parts = [date.getHours(), date.getMinutes()];
  if (seconds) parts.push(date.getSeconds());
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
};

/** A time that lies ahead or behind: `15:00`, `tomorrow at 09:00`, `22 November at 09:00`. */
export const dueTime = (at: string | number, now: number): string => {
  const days = daysBetween(now, msOf(at));
  if (days === 0) return clock(at);
  if (days === 1) return `tomorrow at ${clock(at)}`;
  return `${date(at)} at ${clock(at)}`;
};

/** When something is due, within a sentence: `at 15:00`, `tomorrow at 09:00`, `on 22 November at 09:00`. */
export const dueWords = (at: string | number, now: number): string => {
  const days = daysBetween(now, msOf(at));
  const due = dueTime(at, now);
  if (days === 1) return due;
  return days === 0 ? `at ${due}` : `on ${due}`;
};

/** A time that is over: `today at 17:20`, `yesterday at 17:20`, `on 12 November at 17:20`. */
export const pastTime = (at: string | number, now: number): string => {
  const days = daysBetween(msOf(at), now);
  if (days <= 0) return `today at ${clock(at)}`;
  if (days === 1) return `yesterday at ${clock(at)}`;
  return `on ${date(at)} at ${clock(at)}`;
};

/**
 * Beside a mark: `12:47` of today, else `12 Nov 12:47`. The page's `now` may be some seconds old, so what has just happened can
 * seem to lie ahead.
 */
export const markTime = (at: string | number, now: number): string =>
  daysBetween(msOf(at), now) <= 0
    ? clock(at)
    : `${dayAndMonth.format(msOf(at))} ${clock(at)}`;

/** How long somebody waits: `asked now`, `waits for 2 min`, `waits since Mon`. */
export const waitWords = (at: string, now: number): string => {
  const passed = now - msOf(at);
  if (passed < MINUTE) return "asked now";
  return `${passed < DAY ? "waits for" : "waits since"} ${age(at, now)}`;
};

/** `22 November` */
export const date = (at: string | number): string =>
  longDayAndMonth.format(msOf(at));

/** `6 ms`, `0.7 s`, `52 s`, `4 min 10 s`, `1 h 12 min`. */
export const duration = (ms: number): string => {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / SECOND).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return both(seconds, 60, "min", "s");
  return both(Math.round(seconds / 60), 60, "h", "min");
};

const both = (count: number, base: number, big: string, small: string) => {
  const rest = count % base;
  const whole = `${Math.floor(count / base)} ${big}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
};

/** Whole days from one date to another, as a calendar has them here. */
const daysBetween = (from: number, to: number): number =>
  Math.round((midnight(to) - midnight(from)) / DAY);

const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);

const msOf = (at: string | number): number =>
  typeof at === "number" ? at : Date.parse(at);
