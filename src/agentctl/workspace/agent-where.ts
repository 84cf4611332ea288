import type { TranscriptWhere } from "../../agents/session-state.ts";
import type { AgentSession } from "../../contract/link-workspace.ts";

/** Where an agent keeps what it keeps of a session. */
export const whereOf = (
  { env }: Pick<AgentSession, "env">,
  cwd: string,
): TranscriptWhere => ({ home: env["HOME"] ?? "", cwd, env });
