import type { Ownership } from "../runtime/ports/ownership.ts";
import type { Store } from "../runtime/ports/store.ts";

/** One server holds a home, so one term covers all of its places. It ends with the lock of the home. */
export const homeOwnership = (
  store: Pick<Store, "term">,
  term: number,
): Ownership => ({
  term,
  coversPlaces: true,
  claim: async () => term,
  release: async () => undefined,
  isLost: async () => (await store.term()) !== term,
});
