/** What the link can be asked about commands and processes in a workspace. An older agentctl knows none of it. */
import * as z from "zod";
import { CommandId, SessionId } from "../base/id.ts";
import {
  CommandOutcome,
  ProcessId,
  SessionProcess,
} from "../session/process.ts";
import { Sandbox } from "../agent/sandbox.ts";
import { AgentSession } from "./link-workspace.ts";

export const runMethods = {
  /** Runs a command and answers when it is over. It ends with the link, too. */
  exec: {
    params: z.object({
      command_id: CommandId,
      session_id: SessionId,
      /** The workspace, and where in it. */
      cwd: z.string(),
      within: z.string(),
      argv: z.array(z.string()).min(1),
      agent: AgentSession,
      /** Over the environment of the agent. Never logged, and never written to disk. */
      env: z.record(z.string(), z.string()),
      stdin: z.string(),
      timeout_ms: z.number().int(),
    }),
    /** The ends of what it printed, in base64. */
    result: CommandOutcome.extend({ stdout: z.string(), stderr: z.string() }),
  },
  /** Whether this sandbox can be made here, round this directory where that is there already. */
  sandbox: {
    params: z.object({ sandbox: Sandbox, cwd: z.string().nullable() }),
    /** Why not, and what to do; null where it can be made. */
    result: z.object({ why: z.string().nullable() }),
  },
  /** Ends a command; what it came to is the answer to `exec`. */
  cancel_exec: {
    params: z.object({ command_id: CommandId }),
    result: z.object({}),
  },
  /** Everything that runs for a session. */
  processes: {
    params: z.object({ session_id: SessionId }),
    result: z.object({
      processes: z.array(SessionProcess),
      truncated: z.boolean(),
    }),
  },
  /** Ends one process, and answers when it is gone. */
  end_process: {
    params: z.object({ session_id: SessionId, process_id: ProcessId }),
    result: z.object({}),
  },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
