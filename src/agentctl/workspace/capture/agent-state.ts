import { agentOf } from "../../../agents/registry.ts";
import type { LeftOut } from "../../../contract/session/checkpoint.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import { orAborted } from "../../../kit/time/or-aborted.ts";
import { agentWhere } from "../../daemon/agent-where.ts";
import type { Daemon } from "../../daemon/daemon.ts";

export interface AgentState {
  /** Null when the agent keeps nothing that could be found. */
  tree: string | null;
  /** Why it could not be saved. */
  left_out: LeftOut | null;
}

/** Saves the agent's own files of its session. A workspace without them is still worth keeping, so nothing is thrown. */
export const saveAgentState = async (
  daemon: Daemon,
  { session_id, agent: session, cwd }: LinkParams<"checkpoint">,
  signal: AbortSignal,
): Promise<AgentState> => {
  const { definition, override, token } = session;
  const agent = agentOf(definition.agent, override);
  if (agent?.state === undefined || token === null) return NOTHING;
  const { state } = agent;
  const { storage } = daemon;
  try {
    const saving = storage.withScratch(async (scratch) => {
      const where = agentWhere(daemon, agent, { ...session, session_id }, cwd);
      const files = await state.collect(where, token, scratch);
      if (files.length === 0) return NOTHING;
      const vault = await storage.vault();
      return { tree: await vault.saveFiles(files, signal), left_out: null };
    });
    return await orAborted(saving, signal);
  } catch (error) {
    return { tree: null, left_out: cannotSave(error) };
  }
};

const NOTHING: AgentState = { tree: null, left_out: null };

const cannotSave = (error: unknown): LeftOut => ({
  path: "(the agent's own session)",
  reason: `it cannot be saved: ${error instanceof Error ? error.message : String(error)}`,
});
