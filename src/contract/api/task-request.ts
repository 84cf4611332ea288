import * as z from "zod";
import { Budget } from "../base/budget.ts";
import { AgentId } from "../agent/agent.ts";
import { ProfileId } from "../agent/profile-view.ts";
import { RetryPolicy, TaskState } from "../task/task.ts";
import {
  caller,
  CreateSessionFields,
  line,
  noNul,
  SessionsQuery,
} from "./request.ts";

const text = (max: number) =>
  z.string().max(max).refine(noNul, "must not hold a NUL character");

export const MAX_TASK_TEXT = 1024 * 1024;

/** What a person calls a task, and finds it by. */
export const TaskName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    "letters, digits, dots, dashes and underscores, 100 at most",
  );

export const NewContext = z.strictObject({
  name: line(200).optional(),
  text: text(MAX_TASK_TEXT).min(1, "must not be empty"),
});
export type NewContext = z.infer<typeof NewContext>;

const context = z
  .array(
    z.union([
      NewContext.shape.text.transform((words) => ({ text: words })),
      NewContext,
    ]),
  )
  .max(200);

/** How the sessions of a task are made: what is said of a session, without what is secret or its own. */
const template = CreateSessionFields.pick({
  agent_profile_id: true,
  cwd: true,
  worktree: true,
  executor: true,
  host: true,
  image: true,
  home: true,
  checkpoints: true,
  on_quota: true,
  model: true,
  mode: true,
  instructions: true,
  settings: true,
  allowed_tools: true,
  disallowed_tools: true,
  permissions: true,
  model_fallback: true,
  advisory_tools: true,
}).shape;

const TaskFields = z.strictObject({
  title: line(500),
  description: text(MAX_TASK_TEXT).default(""),
  agent: AgentId.optional(),
  ...template,
  retry: RetryPolicy.prefault({}),
  timeout_minutes: z
    .number()
    .positive()
    .max(7 * 24 * 60)
    .optional(),
  /** What all its attempts may spend together. */
  budget: Budget.optional(),
  /** What belongs to the description: each text is a version of its own. */
  context: context.default([]),
  /** Makes the first attempt at once. */
  run: z.boolean().default(false),
  ...caller,
});

const isOnePlace = ({
  cwd,
  worktree,
}: {
  cwd?: string | undefined;
  worktree?: string | undefined;
}): boolean => cwd === undefined || worktree === undefined;

export const CreateTaskRequest = TaskFields.extend({
  name: TaskName.optional(),
}).refine(isOnePlace, "give either cwd or worktree");
export type CreateTaskRequest = z.infer<typeof CreateTaskRequest>;
export type CreateTaskInput = z.input<typeof CreateTaskRequest>;

/** What a task with this name should be. */
export const ApplyTaskRequest = TaskFields.refine(
  isOnePlace,
  "give either cwd or worktree",
);
export type ApplyTaskRequest = z.infer<typeof ApplyTaskRequest>;
export type ApplyTaskInput = z.input<typeof ApplyTaskRequest>;

/** What can be changed about a task at any time. */
export const ChangeTaskRequest = z.strictObject({
  /** What all its attempts may spend together, with what they have spent so far; null: whatever they take. */
  budget: Budget.nullable(),
  ...caller,
});
export type ChangeTaskRequest = z.infer<typeof ChangeTaskRequest>;

export const RunTaskRequest = z.strictObject({
  agent: AgentId.optional(),
  agent_profile_id: ProfileId.optional(),
  ...caller,
});
export type RunTaskRequest = z.infer<typeof RunTaskRequest>;

export const RetryTaskRequest = z.strictObject({
  /** Whichever is possible, unless it is said. */
  mode: z.enum(["continue", "fresh"]).optional(),
  /** Another agent starts over, and so does another profile. */
  agent: AgentId.optional(),
  agent_profile_id: ProfileId.optional(),
  ...caller,
});
export type RetryTaskRequest = z.infer<typeof RetryTaskRequest>;

/** One text, or several with names. */
export const ContextRequest = z
  .strictObject({
    text: NewContext.shape.text.optional(),
    contexts: context.min(1).optional(),
    ...caller,
  })
  .refine(
    (body) => (body.text === undefined) !== (body.contexts === undefined),
    "give either text or contexts",
  );
export type ContextRequest = z.infer<typeof ContextRequest>;
export type ContextInput = z.input<typeof ContextRequest>;

export const TasksQuery = SessionsQuery.pick({
  limit: true,
  after: true,
  deleted: true,
}).extend({
  state: TaskState.optional(),
  agent: AgentId.optional(),
  /** Those whose id begins so. */
  prefix: z
    .string()
    .regex(/^tsk_[0-9a-z]{0,26}$/, "the beginning of the id of a task")
    .optional(),
});
export type TasksQuery = z.infer<typeof TasksQuery>;
