import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { placeOf } from "../../session/state/place.ts";
import type { State } from "../../session/state/state.ts";

export interface PlaceGroup {
  at: PlaceRef;
  states: readonly State[];
}

/** Sessions, with those of one place together. */
export const byPlace = (states: readonly State[]): PlaceGroup[] => {
  const groups = new Map<string, { at: PlaceRef; states: State[] }>();
  for (const state of states) {
    const at = placeOf(state);
    const group = groups.get(placeKey(at)) ?? { at, states: [] };
    group.states.push(state);
    groups.set(placeKey(at), group);
  }
  return [...groups.values()];
};
