/** The diff of an attempt: from what its first turn found to what its last one left. Null where the agent began none. */
export const turnRange = (
  turns: readonly (number | null)[],
): { from?: string; to: string } | null => {
  const known = turns.filter((turn) => turn !== null);
  if (known.length === 0) return null;
  const first = Math.min(...known);
  const last = Math.max(...known);
  return first === last
    ? { to: String(last) }
    : { from: String(first - 1), to: String(last) };
};
