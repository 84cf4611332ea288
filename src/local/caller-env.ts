import { cleanEnvironment } from "../kit/processes/clean-environment.ts";
import { findServer, readServerFile, runningServer } from "./find-server.ts";
import { homeOf } from "./home.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * The environment of the person, for an agent that is started for them. Only the server of this home gets it, while it
 * runs: it holds secrets, its paths are those of this machine, and where a server was killed anybody may listen by now.
 * What an agent asks for is not asked by the person: its own secrets are not for other sessions.
 */
export const callerEnv = async (
  world: Surroundings,
): Promise<{ caller_env?: Record<string, string> }> => {
  if (world.env["REPRISE_EXECUTION"] !== undefined) return {};
  const own = await readServerFile(homeOf(world));
  if (own === null || (await runningServer(own)) === null) return {};
  if ((await findServer(world)).url !== own.url) return {};
  const sendable = Object.entries(cleanEnvironment(world.env)).filter(
    ([name, value]) => isName(name) && value.isWellFormed(),
  );
  return { caller_env: Object.fromEntries(sendable) };
};

/** A shell exports its functions too, under names that are none. */
const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
