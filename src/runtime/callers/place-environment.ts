/**
 * What of the server's environment, and of that of who asks, an agent gets. On this machine all that agents are allowed to have.
 * On another host agentctl has an environment of its own: nothing of ours goes there but what somebody named for that (EXE-9).
 */
import { isLocal, type PlaceRef } from "../../contract/base/place.ts";
import type { Environment } from "./caller-environments.ts";

export interface EnvironmentDeps {
  /** The environment every agent on this machine starts from. */
  agentEnv: Environment;
  /** Which variables were named to go to other hosts, too. */
  isNamed: (variable: string) => boolean;
}

export const serverEnvAt = (deps: EnvironmentDeps, at: PlaceRef): Environment =>
  callerEnvAt(deps, at, deps.agentEnv);

export const callerEnvAt = (
  { isNamed }: Pick<EnvironmentDeps, "isNamed">,
  at: PlaceRef,
  env: Environment,
): Environment =>
  isLocal(at)
    ? env
    : Object.fromEntries(Object.entries(env).filter(([name]) => isNamed(name)));
