import { agentsOf, type OnQuota } from "../../contract/agent/on-quota.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { nearest } from "../../kit/data/nearest.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import {
  callerEnvAt,
  type EnvironmentDeps,
  serverEnvAt,
} from "../callers/place-environment.ts";
import type { Place } from "../ports/executors.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Agents that are to stand in when a quota is used up must be known. Whether they are installed is seen when it is so. */
export const checkStandIns = async (
  deps: Pick<OperationDeps, "overrides" | keyof EnvironmentDeps>,
  { at, place }: { at: PlaceRef; place: Place },
  { caller_env = {} }: Pick<CreateSessionRequest, "caller_env">,
  onQuota: OnQuota | undefined,
): Promise<void> => {
  const named = agentsOf(onQuota ?? "wait");
  if (named === null) return;
  const env = {
    ...serverEnvAt(deps, at),
    ...callerEnvAt(deps, at, caller_env),
  };
  const overrides = { ...deps.overrides };
  const agents = await place.agents({ overrides, env });
  const known = agents.map(({ id }) => id);
  const unknown = named.find((agent) => !known.includes(agent));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  throw new RepriseError(
    "unknown_agent",
    `There is no agent ${unknown} that could stand in when a quota is used up.${meant === undefined ? "" : ` Did you mean ${meant}?`} Known here: ${known.join(", ")}.`,
  );
};
