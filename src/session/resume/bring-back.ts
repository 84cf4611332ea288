import { sessionOpening } from "./resume.ts";
import type { State } from "../state/state.ts";

/** It waits for input without an agent, and its agent can resume its own session: with `recovery: "all"` it is brought back. */
export const isIdleAndResumable = (state: State): boolean =>
  state.lifecycle.name === "WAITING_FOR_INPUT" &&
  state.execution === null &&
  state.deleted_at === null &&
  sessionOpening(state, null).strategy === "native";
