import type { Snapshot } from "../runtime/ports/store.ts";

/** Of other versions the newest is left. */
export const withSnapshot = (
  before: ReadonlyMap<number, Snapshot> = new Map(),
  snapshot: Snapshot | null,
): ReadonlyMap<number, Snapshot> => {
  if (snapshot === null) return before;
  const newest = [...before.values()]
    .filter(({ version }) => version !== snapshot.version)
    .sort((a, b) => a.version - b.version)
    .slice(-1);
  return new Map(
    [...newest, { ...snapshot }].map((each) => [each.version, each]),
  );
};
