/** Processes that run for a session, and what came of commands in its workspace. */
import * as z from "zod";

export const StartedBy = z.enum(["agent", "exec", "shell"]);
export type StartedBy = z.infer<typeof StartedBy>;

/** Names one process for ever: another that gets its pid has another id. */
export const ProcessId = z
  .string()
  .regex(/^prc_\d+_[0-9a-f]{16}$/, "must look like prc_123_0123456789abcdef");

export const SessionProcess = z.object({
  id: ProcessId,
  pid: z.number().int(),
  /** The process that started it, or the one that took it over. */
  ppid: z.number().int(),
  started_by: StartedBy,
  /** The execution, the command or the shell that it belongs to. */
  owner_id: z.string(),
  /** The agent itself, and not something that it has started. */
  is_agent: z.boolean(),
  /** As the process says it: whatever it says. Cut where it is long. */
  command: z.string(),
  started_at: z.iso.datetime(),
  cpu_seconds: z.number(),
  memory_bytes: z.number(),
  /** TCP ports that it listens on; null where that cannot be told. */
  ports: z.array(z.number().int()).nullable(),
});
export type SessionProcess = z.infer<typeof SessionProcess>;

/** One that ran when somebody last looked, and does not any more. */
export const GoneProcess = SessionProcess.pick({
  pid: true,
  started_by: true,
  command: true,
  started_at: true,
  ports: true,
});
export type GoneProcess = z.infer<typeof GoneProcess>;

/** How a command ended. */
export const CommandOutcome = z.object({
  /** Null when a signal ended it. */
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** It was ended at its deadline. */
  timed_out: z.boolean(),
  /** It was ended because nobody waited for it any more. */
  cancelled: z.boolean(),
  /** How much it printed in all. */
  stdout_bytes: z.number(),
  stderr_bytes: z.number(),
  took_ms: z.number(),
  pid: z.number().int(),
});
export type CommandOutcome = z.infer<typeof CommandOutcome>;

/** Of each stream, the end of it. */
export const MAX_COMMAND_OUTPUT = 1024 * 1024;
