import type { PlaceRef } from "../../contract/place.ts";
import type { State } from "./state.ts";

/** Where a session is: where its execution runs, or where the next one starts. */
export const placeOf = ({
  execution,
  place,
}: Pick<State, "execution" | "place">): PlaceRef => execution?.place ?? place;
