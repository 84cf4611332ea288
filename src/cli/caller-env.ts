import { cleanEnvironment } from "../kit/clean-environment.ts";
import { findServer, readServerFile } from "./connection.ts";
import { homeOf } from "./home.ts";
import type { World } from "./world.ts";

/**
 * The environment of the person, for an agent that is started for them. Only the server of this home gets it: it holds
 * secrets, and its paths are those of this machine.
 */
export const callerEnv = async (
  world: Pick<World, "env" | "cwd">,
): Promise<{ caller_env?: Record<string, string> }> => {
  const [{ url }, own] = await Promise.all([
    findServer(world),
    readServerFile(homeOf(world)),
  ]);
  if (own?.url !== url) return {};
  const sendable = Object.entries(cleanEnvironment(world.env)).filter(
    ([name, value]) => isName(name) && value.isWellFormed(),
  );
  return { caller_env: Object.fromEntries(sendable) };
};

/** A shell exports its functions too, under names that are none. */
const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
