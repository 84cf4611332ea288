/** What the number beside Home means. */
export const needWords = (count: number): string =>
  count === 1 ? "1 session needs you" : `${count} sessions need you`;
