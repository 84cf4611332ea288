import type { Log } from "../base/log.ts";

/** Tells how often something happened and why, at most once in a while: strangers must not fill the log. */
export const countedLog = (
  log: Log,
  words: string,
  everyMs: number,
  now: () => number = () => performance.now(),
): { note(why: string): void; tell(): void } => {
  let told = -Infinity;
  let counts: Record<string, number> = {};
  const tell = (): void => {
    if (Object.keys(counts).length === 0) return;
    log(words, counts);
    counts = {};
    told = now();
  };
  return {
    note: (why) => {
      counts[why] = (counts[why] ?? 0) + 1;
      if (now() - told >= everyMs) tell();
    },
    tell,
  };
};
