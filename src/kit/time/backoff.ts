/** How long to wait before the next try: doubling from `first` up to `most`. Spread it with `jitter` in [0, 1). */
export const backoff = (
  attempt: number,
  first: number,
  most: number,
  jitter = 0,
): number => {
  const full = Math.min(most, first * 2 ** attempt);
  return Math.round(full * (1 - jitter / 2));
};
