import { z } from "zod";
import type { State } from "./state.ts";

/** A state at rest. Its shape is vouched for by the version it is stored under, so only its kind is looked at. */
const StoredState = z.custom<State>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    "lifecycle" in value &&
    "seq" in value,
);

export const writeState = (state: State): string => JSON.stringify(state);

export const readState = (text: string): State =>
  StoredState.parse(JSON.parse(text));
