/** ` Did you mean …?` with the name that is nearest to what was typed; nothing when none is near. */
export const didYouMean = (
  typed: string,
  names: readonly string[],
  show: (name: string) => string,
): string => {
  const [best] = names
    .map((name) => ({ name, steps: distance(typed, name) }))
    .filter(
      ({ name, steps }) =>
        steps <= Math.max(1, Math.min(typed.length, name.length) / 4),
    )
    .sort((a, b) => a.steps - b.steps);
  return best === undefined ? "" : ` Did you mean ${show(best.name)}?`;
};

/** How many characters must be put in, taken out or replaced to make one word of the other. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, character] of from.split("").entries()) {
    const above = row;
    row = [i + 1];
    for (const [j, wanted] of to.split("").entries())
      row.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (above[j + 1] ?? 0) + 1,
          (above[j] ?? 0) + (character === wanted ? 0 : 1),
        ),
      );
  }
  return row.at(-1) ?? 0;
};
