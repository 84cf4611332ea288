/** Commands and processes in the workspace of a session. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { CommandId } from "../base/id.ts";
import {
  CommandOutcome,
  ProcessId,
  SessionProcess,
} from "../session/process.ts";
import { caller, Environment, noNul } from "./request.ts";

export const DEFAULT_COMMAND_MS = 60_000;
export const MAX_COMMAND_MS = 30 * 60_000;
export const MAX_STDIN_BYTES = 1024 * 1024;
const MAX_ARGUMENT = 128 * 1024;

const argument = z
  .string()
  .max(MAX_ARGUMENT)
  .refine(noNul, "must not hold a NUL character");

export const ExecRequest = z.strictObject({
  /** The program and its arguments; no shell reads them. */
  argv: z
    .tuple([argument.min(1, "must not be empty")])
    .rest(argument)
    .refine(({ length }) => length <= 1000, "at most 1000 arguments"),
  /** Relative to the workspace. */
  cwd: z.string().max(4096).refine(noNul).optional(),
  env: Environment.refine(
    (env) => !Object.keys(env).some((name) => name.startsWith("REPRISE_")),
    "names that begin with REPRISE_ are taken",
  ).optional(),
  ...caller,
  stdin: z
    .string()
    .max(MAX_STDIN_BYTES, `at most ${MAX_STDIN_BYTES} characters`)
    .optional(),
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(MAX_COMMAND_MS)
    .default(DEFAULT_COMMAND_MS),
  /** How `stdout` and `stderr` of the answer are written. */
  encoding: z.enum(["text", "base64"]).default("text"),
});
export type ExecRequest = z.infer<typeof ExecRequest>;
/** As a caller writes it. */
export type ExecInput = z.input<typeof ExecRequest>;

export const ExecResult = CommandOutcome.extend({
  id: CommandId,
  encoding: z.enum(["text", "base64"]),
  stdout: z.string(),
  stderr: z.string(),
  /** There was more: what stands here is the end. */
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
});
export type ExecResult = z.infer<typeof ExecResult>;

export const ProcessPage = z.object({
  processes: z.array(SessionProcess),
  next: z.null(),
  /** There are more than are told. */
  truncated: z.boolean(),
});
export type ProcessPage = z.infer<typeof ProcessPage>;

/** It is gone. */
export const EndedProcess = z.object({ id: ProcessId });
export type EndedProcess = z.infer<typeof EndedProcess>;

export const runRoutes = {
  execCommand: {
    ...endpoint("execCommand"),
    summary: "Run a command in the workspace; answered when it is over",
    body: ExecRequest,
    answer: ExecResult,
  },
  listProcesses: {
    ...endpoint("listProcesses"),
    summary: "What the session's agents, commands and shells have running",
    answer: ProcessPage,
  },
  endProcess: {
    ...endpoint("endProcess"),
    summary: "End one process; answered when it is gone",
    answer: EndedProcess,
  },
} as const;
