import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Agent } from "../../agents/agent/agent.ts";
import { agentOf } from "../../agents/registry.ts";
import type { LinkParams, LinkResult } from "../../contract/link/link.ts";
import type { AgentSession } from "../../contract/link/link-workspace.ts";
import { agentWhere } from "../daemon/agent-where.ts";
import type { Executions } from "../execution/executions.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { kindOf } from "../workspace/capture/kind-of.ts";
import { instructionFiles } from "../../agents/agent/instruction-files.ts";
import type { InstructionFile } from "../../contract/agent/agent.ts";
import { plainBytes } from "../../kit/files/read-plain.ts";

/** A session from outside its journal: its directory, its processes, its agent and what that agent keeps of it. */
export const look = async (
  daemon: Daemon,
  executions: Executions,
  { session_id, execution_id, cwd, agent: session }: LinkParams<"look">,
  owner: Owner,
): Promise<LinkResult<"look">> => {
  const agent = agentOf(session.definition.agent, session.override);
  const [workspace, instruction_files, alive, installed, transcript, epoch] =
    await Promise.all([
      kindOf(cwd),
      findInstructionFiles(cwd),
      execution_id === null ? false : executions.isAlive(owner, execution_id),
      isInstalled(daemon, agent, session, cwd),
      transcriptOf(daemon, agent, { ...session, session_id }, cwd),
      executions.epochOf({ owner, session: session_id }),
    ]);
  const survivors =
    execution_id === null || alive
      ? []
      : await executions.survivors(owner, execution_id);
  return {
    workspace,
    alive,
    survivors,
    installed,
    transcript,
    instruction_files,
    epoch,
  };
};

const isInstalled = async (
  { programs, node }: Daemon,
  agent: Agent | null,
  { env }: AgentSession,
  cwd: string,
): Promise<boolean> => {
  const path = env["PATH"] ?? "";
  return (await agent?.locate({ path, env, programs, node, cwd })) != null;
};

const transcriptOf = async (
  daemon: Daemon,
  agent: Agent | null,
  session: AgentSession & Pick<LinkParams<"look">, "session_id">,
  cwd: string,
): Promise<LinkResult<"look">["transcript"]> => {
  const { token } = session;
  if (token === null || agent === null) return "unknown";
  const where = agentWhere(daemon, agent, session, cwd);
  if (agent.transcript === undefined) {
    // What cannot be read may be there.
    const has = await agent.state?.has?.(where, token).catch(() => undefined);
    if (has === undefined) return "unknown";
    return has ? "present" : "missing";
  }
  const path = await agent.transcript(where, token);
  if (path === null) return "missing";
  return (await kindOf(path)) === "missing" ? "missing" : "present";
};

/** No instructions are that long; whatever bears their name and is longer is not read. */
const LONGEST = 1024 * 1024;

/** Which instructions a workspace holds for agents, by name and hash. What cannot be read is not there for an agent either. */
const findInstructionFiles = async (
  cwd: string,
): Promise<InstructionFile[]> => {
  const found = await Promise.all(
    instructionFiles.map(async (name) => {
      const sha256 = await hashOf(join(cwd, name)).catch(() => null);
      return sha256 === null ? [] : [{ name, sha256 }];
    }),
  );
  return found.flat();
};

const hashOf = async (path: string): Promise<string | null> => {
  const content = await plainBytes(path, LONGEST, { follow: true });
  return content && createHash("sha256").update(content).digest("hex");
};
