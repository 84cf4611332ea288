import { z } from "zod";
import { AgentId, McpServer } from "./agent.ts";
import { ContentBlock } from "./content.ts";
import { TaskId } from "./id.ts";

/** The largest prompt, counted in bytes of UTF-8, and the largest body that can carry one. */
export const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
export const MAX_BODY_BYTES = 2 * MAX_PROMPT_BYTES;

const noNul = (text: string): boolean => !text.includes("\0");
const line = (max: number) =>
  z.string().min(1).max(max).refine(noNul, "must not hold a NUL character");
export const PromptText = z
  .string()
  .min(1, "must not be empty")
  .refine(noNul, "must not hold a NUL character");

export const PromptRequest = z
  .strictObject({
    text: PromptText.optional(),
    content: z.array(ContentBlock).min(1).optional(),
  })
  .refine(
    (body) => (body.text === undefined) !== (body.content === undefined),
    "give either text or content",
  );
export type PromptRequest = z.infer<typeof PromptRequest>;

export const CreateSessionRequest = z.strictObject({
  agent: AgentId.default("demo"),
  cwd: line(4096).optional(),
  executor: z.enum(["standalone"]).default("standalone"),
  task_id: TaskId.optional(),
  name: line(200).optional(),
  prompt: PromptText.optional(),
  on_interrupt: z.enum(["wait", "continue"]).default("wait"),
  home: z.enum(["user", "session"]).optional(),
  /** Whether turns are checkpointed; as configured when it is not said. */
  checkpoints: z.boolean().optional(),
  env: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
      z.string().refine(noNul),
    )
    .optional(),
  model: line(200).optional(),
  mode: line(200).optional(),
  instructions: z.string().max(100_000).refine(noNul).optional(),
  mcp_servers: z.array(McpServer).max(50).optional(),
  allowed_tools: z.array(line(200)).max(500).optional(),
  disallowed_tools: z.array(line(200)).max(500).optional(),
});
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;
/** As a caller writes it, defaults left out. */
export type CreateSessionInput = z.input<typeof CreateSessionRequest>;

export const EndRequest = z.strictObject({
  outcome: z.enum(["completed", "cancelled"]).default("completed"),
});
export type EndRequest = z.infer<typeof EndRequest>;

export const PermissionAnswer = z.strictObject({ option_id: line(200) });
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;

export const ResolveRequest = z.strictObject({
  action: z.enum(["continue", "resend", "drop"]),
});
export type ResolveRequest = z.infer<typeof ResolveRequest>;

export const CreateTaskRequest = z.strictObject({
  title: line(500),
  description: z.string().max(100_000).refine(noNul).default(""),
});
export type CreateTaskRequest = z.infer<typeof CreateTaskRequest>;

export const EmptyRequest = z.strictObject({});

/** A number in a query, in digits: nothing at all, a sign or `0x10` is a mistake, not a number. */
const wholeNumber = (least = 0, most = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (given) =>
      typeof given === "string" && /^\d{1,15}$/.test(given)
        ? Number(given)
        : given,
    z.int("must be a whole number, in digits").min(least).max(most),
  );
export const EventsQuery = z.strictObject({
  after: wholeNumber().default(0),
  limit: wholeNumber(1, 10_000).default(1000),
});
export const StreamQuery = z.strictObject({ after: wholeNumber().optional() });
export const SessionsQuery = z.strictObject({
  task_id: TaskId.optional(),
  cwd: z.string().optional(),
  state: z.string().optional(),
  limit: wholeNumber(1, 1000).default(100),
  /** The `next` of the page before. */
  after: z.string().optional(),
});
export const TasksQuery = SessionsQuery.pick({ limit: true, after: true });
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces");
