import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";

interface Group {
  at: PlaceRef;
  key: string;
  states: State[];
}

/** Sessions, with those of one place together. */
export const byPlace = (states: readonly State[]): Group[] => {
  const groups = new Map<string, Group>();
  for (const state of states) {
    const at = placeOf(state);
    const key = placeKey(at);
    const group = groups.get(key) ?? { at, key, states: [] };
    group.states.push(state);
    groups.set(key, group);
  }
  return [...groups.values()];
};
