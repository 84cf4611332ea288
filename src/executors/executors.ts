/** All places of a server behind one port: each kind of place has an executor of its own. */
import { type PlaceRef, placeKey } from "../contract/base/place.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Executors } from "../runtime/ports/executors.ts";

export const executorsOf = (
  kinds: Readonly<Record<string, Executors>>,
): Executors => {
  const of = (at: PlaceRef): Executors => {
    const found = Object.hasOwn(kinds, at.kind) ? kinds[at.kind] : undefined;
    if (found !== undefined) return found;
    throw new RepriseError(
      "not_supported",
      `There is no executor ${placeKey(at)} here; use ${Object.keys(kinds).join(" or ")}`,
    );
  };
  return {
    obtain: async (at, term) => of(at).obtain(at, term),
    find: async (at, term) => of(at).find(at, term),
    prepare: async (at, wish) => of(at).prepare?.(at, wish),
    whyNoSandbox: async (at) => {
      const executor = of(at);
      return executor.whyNoSandbox === undefined
        ? "Sandboxes are made on the machine of the server only, by the executor standalone."
        : executor.whyNoSandbox(at);
    },
    remove: async (at) => of(at).remove?.(at),
    leave: async (at) => of(at).leave(at),
    close: async () => {
      await Promise.all(Object.values(kinds).map((kind) => kind.close()));
    },
  };
};
