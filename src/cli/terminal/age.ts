/** How long ago, in one unit: `now`, `40 s`, `3 min`, `2 h`, `5 d`. */
export const age = (at: string, now: Date): string => {
  const ms = now.getTime() - Date.parse(at);
  return ms < 5000 ? "now" : duration(ms);
};

/** How long, in one unit: `0 s`, `40 s`, `3 min`, `2 h`, `5 d`. */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
};

export const ago = (at: string, now: Date): string => {
  const words = age(at, now);
  return words === "now" ? "just now" : `${words} ago`;
};

/** `1 agent`, `2 agents`. */
export const count = (n: number, noun: string): string =>
  `${n} ${noun}${n === 1 ? "" : "s"}`;
