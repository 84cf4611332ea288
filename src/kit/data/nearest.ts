/** The name that is nearest to what was typed; undefined when none is near. */
export const nearest = (
  typed: string,
  names: readonly string[],
): string | undefined =>
  names
    .map((name) => ({ name, steps: distance(typed, name) }))
    .filter(
      ({ name, steps }) =>
        steps <= Math.max(1, Math.min(typed.length, name.length) / 4),
    )
    .sort((a, b) => a.steps - b.steps)[0]?.name;

/** How many characters must be put in, taken out, replaced or swapped with their neighbour to make one word of the other. */
const distance = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, i) => i)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped =
        i > 1 &&
        j > 1 &&
        from[i - 1] === to[j - 2] &&
        from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          at(i, j - 1) + 1,
          at(i - 1, j) + 1,
          at(i - 1, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
};
