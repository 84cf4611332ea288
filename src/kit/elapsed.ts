/** Milliseconds between two ISO times. */
export const elapsedMs = (from: string, to: string): number =>
  Date.parse(to) - Date.parse(from);
