import { RepriseError } from "../contract/problem/problem.ts";

/** What came of asking for one. */
export interface PurgeOutcome<T> {
  item: T;
  /** Null when it is gone. */
  refusal: RepriseError | null;
}

/**
 * Removes what is in the trash for good, one after the other. What was refused is tried again as long as others go: a session may
 * have to wait for another one that works in its directory.
 */
export async function* purgeInTurn<T>(
  items: readonly T[],
  purge: (item: T) => Promise<unknown>,
): AsyncGenerator<PurgeOutcome<T>> {
  const refused: T[] = [];
  for (const item of items) {
    const refusal = await refusalOf(() => purge(item));
    if (refusal !== null) refused.push(item);
    yield { item, refusal };
  }
  if (refused.length < items.length) yield* purgeInTurn(refused, purge);
}

const refusalOf = async (
  purge: () => Promise<unknown>,
): Promise<RepriseError | null> => {
  try {
    await purge();
    return null;
  } catch (error) {
    if (!(error instanceof RepriseError)) throw error;
    // Somebody else may have removed it meanwhile.
    return NOT_FOUND.has(error.code) ? null : error;
  }
};

const NOT_FOUND: ReadonlySet<string> = new Set([
  "session_not_found",
  "task_not_found",
]);
