import { agentsOf, type OnQuota } from "../../contract/agent/on-quota.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { nearest } from "../../kit/data/nearest.ts";
import type { Place } from "../ports/executors.ts";
import {
  environmentFor,
  type EnvironmentDeps,
} from "../callers/session-environment.ts";

/** Agents that are to stand in when a quota is used up must be known. Whether they are installed is seen when it is so. */
export const checkStandIns = async (
  deps: EnvironmentDeps,
  place: Place,
  {
    at,
    caller_env: caller,
  }: { at: PlaceRef } & Pick<CreateSessionRequest, "caller_env">,
  onQuota: OnQuota | undefined,
): Promise<void> => {
  const named = agentsOf(onQuota ?? "wait");
  if (named === null) return;
  const env = environmentFor(deps, { place: at, caller });
  const agents = await place.agents({ overrides: { ...deps.overrides }, env });
  const known = agents.map(({ id }) => id);
  const unknown = named.find((agent) => !known.includes(agent));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  throw new RepriseError(
    "unknown_agent",
    `There is no agent ${unknown} that could stand in when a quota is used up.${meant === undefined ? "" : ` Did you mean ${meant}?`} Known here: ${known.join(", ")}.`,
  );
};
