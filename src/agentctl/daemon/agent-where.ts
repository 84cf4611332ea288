import { join } from "node:path";
import type { Agent } from "../../agents/agent/agent.ts";
import { rootsIn } from "../../agents/launch/private-home.ts";
import type { TranscriptWhere } from "../../agents/state/session-state.ts";
import type {
  AgentDefinition,
  AgentOverride,
} from "../../contract/agent/agent.ts";
import { hasOwnHome } from "../../contract/agent/sandbox.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Daemon } from "./daemon.ts";

/** Where the agent of a session keeps its own files, whether it runs or not. */
export const agentWhere = (
  daemon: Pick<Daemon, "directory">,
  agent: Pick<Agent, "home">,
  session: {
    session_id: SessionId;
    definition: Pick<AgentDefinition, "home" | "sandbox">;
    override?: AgentOverride | undefined;
    env: Record<string, string>;
  },
  cwd: string,
): TranscriptWhere => {
  const { definition, override, session_id } = session;
  const own = hasOwnHome(definition) ? agent.home : undefined;
  const env = {
    ...session.env,
    ...override?.env,
    ...(own && rootsIn(own, homeOf(daemon, session_id))),
  };
  return { home: env["HOME"] ?? "", cwd, env };
};

/** The home that belongs to one session alone. */
export const homeOf = (
  { directory }: Pick<Daemon, "directory">,
  session: SessionId,
): string => join(directory, "homes", session);
