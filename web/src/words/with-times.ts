import { dueTime, dueWords } from "./age.ts";

const INSTANT =
  /(\bat )?\b(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))/g;

/** A text of the server with its times as they are told here: `at 15:00`, `until tomorrow at 09:00`. */
export const withTimes = (text: string, now: number): string =>
  text.replace(INSTANT, (_, before: string | undefined, at: string) =>
    before === undefined ? dueTime(at, now) : dueWords(at, now),
  );
