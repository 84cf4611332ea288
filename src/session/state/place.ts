import type { PlaceRef } from "../../contract/base/place.ts";
import type { State } from "./state.ts";

/** Where a session is: where its execution runs, or where the next one starts. */
export const placeOf = ({
  execution,
  workspace,
}: Pick<State, "execution" | "workspace">): PlaceRef =>
  execution?.place ?? workspace.place;
