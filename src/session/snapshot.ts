import type { State } from "./state.ts";

export const writeState = (state: State): string => JSON.stringify(state);

export const readState = (text: string): State => {
  const value: unknown = JSON.parse(text);
  if (!isState(value)) throw new Error("a snapshot that is no state");
  return value;
};

/** The version a snapshot is stored under vouches for its shape, so only its kind is looked at. */
const isState = (value: unknown): value is State =>
  typeof value === "object" &&
  value !== null &&
  "lifecycle" in value &&
  "seq" in value;
