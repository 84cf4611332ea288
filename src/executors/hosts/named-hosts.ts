/** The hosts of one kind, by the names that `config.json` gives them. */
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Executors } from "../../runtime/ports/executors.ts";
import {
  type Reached,
  type Reaching,
  SharedPlace,
} from "../link/shared-place.ts";
import { notConfigured } from "./host-problem.ts";

export const namedHosts = <Settings>(
  kind: string,
  hosts: Readonly<Record<string, Settings>>,
  reach: (name: string, settings: Settings, how: Reaching) => Promise<Reached>,
): Executors => {
  const shared = new Map(
    Object.entries(hosts).map(([name, settings]) => [
      name,
      new SharedPlace((how) => reach(name, settings, how)),
    ]),
  );
  const of = (at: PlaceRef): SharedPlace => {
    if (at.kind !== kind)
      throw new RepriseError(
        "not_supported",
        `${placeKey(at)} is no host of the kind ${kind}.`,
      );
    const found = shared.get(at.id);
    if (found === undefined) throw notConfigured(at.id, [...shared.keys()]);
    return found;
  };
  return {
    obtain: async (at, term) => of(at).obtain(term),
    find: async (at, term) => of(at).find(term),
    leave: async (at) => shared.get(at.id)?.leave(),
    close: async () => {
      await Promise.all([...shared.values()].map((each) => each.close()));
    },
  };
};
