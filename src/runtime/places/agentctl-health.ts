import { LinkError } from "../../contract/link/link-error.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { within } from "../../kit/time/deadline.ts";
import type { AgentctlFacts } from "../../session/state/agentctl.ts";
import type { AgentctlHealth } from "../../session/view/executor-row.ts";
import type { State } from "../../session/state/state.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import type { Places } from "./places.ts";
import type { Place } from "../ports/executors.ts";

export const FIND_MS = 2000;

/** Looks whether an agentctl is there, and starts none. */
export const findAgentctl = async (
  places: Places,
  at: PlaceRef,
): Promise<{ health: AgentctlHealth; place: Place | null }> => {
  try {
    const place = await within(
      "looking for agentctl",
      FIND_MS,
      places.findHeld(at),
    );
    return { health: place === null ? "stopped" : "ready", place };
  } catch {
    return { health: places.absences.statusOf(at), place: null };
  }
};

/** Who an agentctl is, and what it says it can do for a session. */
export const factsOf = async (
  { overrides }: Pick<AgentSessionDeps, "overrides">,
  place: Place,
  { agent: { definition }, workspace }: State,
): Promise<AgentctlFacts> => {
  const { agent } = definition;
  const { cwd } = workspace;
  const override = overrides[agent];
  const order = { agent, cwd, ...(override && { override }) };
  return { ...addressOf(place), ...(await probe(place, order)) };
};

export const addressOf = (place: Place) => ({
  runtime: place.runtime,
  url: place.url,
  pid: place.pid,
  build: place.build,
  ...(place.placeId !== null && { place_id: place.placeId }),
  port: place.port,
  container_id: place.containerId,
});

/** An agentctl of an older release cannot be asked. */
const probe = async (place: Place, order: Parameters<Place["probe"]>[0]) => {
  try {
    return await place.probe(order);
  } catch (error) {
    if (error instanceof LinkError && error.code === "unknown_method")
      return {};
    throw error;
  }
};
