import * as z from "zod";
import { AgentId, AgentToken, McpServer } from "../agent/agent.ts";
import { Budget } from "../base/budget.ts";
import { CheckpointId } from "../session/checkpoint.ts";
import { ContentBlock } from "../base/content.ts";
import { ExecutorName } from "../base/executor-name.ts";
import { MessageId, SessionId, TaskId } from "../base/id.ts";
import { LimitsField, PermissionsField } from "./limits-field.ts";
import { HostName } from "../link/executor-settings.ts";
import { OnQuota } from "../agent/on-quota.ts";
import { ProfileId } from "../agent/profile-view.ts";
import { SandboxField } from "../agent/sandbox.ts";
import { ToolPattern } from "../agent/tool-pattern.ts";

/** The largest prompt, counted in bytes of UTF-8, and the largest body that can carry one. */
export const MAX_PROMPT_BYTES = 8 * 1024 * 1024;
export const MAX_BODY_BYTES = 2 * MAX_PROMPT_BYTES;
/** How deep JSON may nest. What a session keeps of it is compared, hashed and written out again, which takes stack for each level. */
export const MAX_JSON_DEPTH = 100;

export const noNul = (text: string): boolean => !text.includes("\0");
export const line = (max: number) =>
  z.string().min(1).max(max).refine(noNul, "must not hold a NUL character");
export const PromptText = z
  .string()
  .min(1, "must not be empty")
  .refine(noNul, "must not hold a NUL character");

export const Environment = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  z.string().refine(noNul, "must not hold a NUL character"),
);
/**
 * The environment of whoever asks: the next start of the agent gets it, over the server's own. It is not kept with the
 * session, and a request is the same with another one.
 */
export const caller = { caller_env: Environment.optional() };

export const promptFields = {
  text: PromptText.optional(),
  content: z.array(ContentBlock).min(1).optional(),
  /** For the turn of this prompt alone. */
  limits: LimitsField.optional(),
  ...caller,
};
type Words = z.infer<
  z.ZodObject<Pick<typeof promptFields, "text" | "content">>
>;
export const isOneOfBoth = ({ text, content }: Words): boolean =>
  (text === undefined) !== (content === undefined);
export const PromptRequest = z
  .strictObject(promptFields)
  .refine(isOneOfBoth, "give either text or content");
export type PromptRequest = z.infer<typeof PromptRequest>;
/** As a caller writes it. */
export type PromptInput = z.input<typeof PromptRequest>;

/** Values for options of an agent, by their ids: those that it offers. */
export const AgentOptions = z
  .record(line(200), line(1000))
  .refine((options) => Object.keys(options).length <= 50, "at most 50 options");

export const DEFAULT_AGENT = "demo";

/** Where agents run: on this machine unless it is said here or by a profile. */
export const placeFields = {
  executor: ExecutorName.optional(),
  /** One that `config.json` names. */
  host: HostName.optional(),
};

export const CreateSessionFields = z.strictObject({
  /** `DEFAULT_AGENT` when neither this nor a profile is said. */
  agent: AgentId.optional(),
  /** A profile of `config.json`, or the id of an agent. What else is said here wins over what it says. */
  agent_profile_id: ProfileId.optional(),
  cwd: line(4096).optional(),
  /** A git repository: the session gets a worktree and a branch of its own in it. */
  worktree: line(4096).optional(),
  ...placeFields,
  /** Of the container, for the executor `docker`; as configured when it is not said. */
  image: line(500).optional(),
  task_id: TaskId.optional(),
  /** The session whose agent asks for this one. */
  called_by: SessionId.optional(),
  name: line(200).optional(),
  prompt: PromptText.optional(),
  /** The first prompt in pieces, instead of `prompt`. */
  content: z.array(ContentBlock).min(1).optional(),
  /** Of the first prompt. */
  limits: LimitsField.optional(),
  /** `wait` when neither this nor a profile is said. */
  on_interrupt: z.enum(["wait", "continue"]).optional(),
  /** What it may spend in all; as configured when it is not said. */
  budget: Budget.optional(),
  /** As configured, or as `on_interrupt` says, when it is not said. */
  on_quota: OnQuota.optional(),
  home: z.enum(["user", "session"]).optional(),
  /** Whether turns are checkpointed; as configured when it is not said. */
  checkpoints: z.boolean().optional(),
  env: Environment.optional(),
  ...caller,
  model: line(200).optional(),
  mode: line(200).optional(),
  options: AgentOptions.optional(),
  instructions: z.string().max(100_000).refine(noNul).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  mcp_servers: z.array(McpServer).max(50).optional(),
  allowed_tools: z.array(ToolPattern).max(500).optional(),
  disallowed_tools: z.array(ToolPattern).max(500).optional(),
  permissions: PermissionsField.optional(),
  /** Goes on with the agent's own model where it does not have the one that was asked for. */
  model_fallback: z.boolean().optional(),
  /** Tells the agent in words about limits of tools that nobody can hold. */
  advisory_tools: z.boolean().optional(),
  /** Holds the agent, commands and shells of the session for as long as it is there. */
  sandbox: SandboxField.optional(),
});
/** What restricts the agent of a session, and can be changed between two of its starts. */
const definitionChange = {
  ...CreateSessionFields.pick({
    mode: true,
    model: true,
    options: true,
    settings: true,
    allowed_tools: true,
    disallowed_tools: true,
    permissions: true,
    model_fallback: true,
    advisory_tools: true,
  }).shape,
  /** What is not asked for any more. */
  without: z
    .array(
      z.enum(["mode", "model", "options", "settings", "tools", "permissions"]),
    )
    .optional(),
};
export const DefinitionChange = z.strictObject(definitionChange);
export type DefinitionChange = z.infer<typeof DefinitionChange>;
/** As a caller writes it. */
export type DefinitionChangeInput = z.input<typeof DefinitionChange>;
export const ResumeRequest = z.strictObject({
  ...definitionChange,
  /** What waits for a quota of the agent is tried at once. */
  now: z.boolean().optional(),
  ...caller,
});
export type ResumeRequest = z.infer<typeof ResumeRequest>;
export type ResumeInput = z.input<typeof ResumeRequest>;
export const CreateSessionRequest = CreateSessionFields.refine(
  ({ cwd, worktree }) => cwd === undefined || worktree === undefined,
  "give either cwd or worktree",
)
  .refine(
    ({ prompt, content }) => prompt === undefined || content === undefined,
    "give either prompt or content",
  )
  .refine(
    ({ prompt, content, limits }) =>
      limits === undefined || prompt !== undefined || content !== undefined,
    "limits are those of a prompt: give prompt or content too",
  );
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;
/** As a caller writes it, defaults left out. */
export type CreateSessionInput = z.input<typeof CreateSessionRequest>;

export const EndRequest = z.strictObject({
  outcome: z.enum(["completed", "cancelled"]).default("completed"),
});
export type EndRequest = z.infer<typeof EndRequest>;

const turn = z.int().min(0).max(1_000_000_000);

/** To what a turn left, or to one checkpoint of it. */
export const RewindRequest = z
  .strictObject({
    turn: turn.optional(),
    checkpoint: CheckpointId.optional(),
    /** Only says what would change. */
    dry_run: z.boolean().default(false),
    /**
     * What becomes of a person's edits and commits since: they are undone with the rest, as when nothing is said; they
     * stay; or a rewind that would undo any is refused.
     */
    edits: z.enum(["undo", "keep", "refuse"]).optional(),
  })
  .refine(
    (body) => (body.turn === undefined) !== (body.checkpoint === undefined),
    "give either turn or checkpoint",
  );
export type RewindRequest = z.infer<typeof RewindRequest>;

export const ForkRequest = z
  .strictObject({
    /** The newest one that was captured, unless it is said. */
    turn: turn.optional(),
    checkpoint: CheckpointId.optional(),
    name: line(200).optional(),
  })
  .refine(
    (body) => body.turn === undefined || body.checkpoint === undefined,
    "give either turn or checkpoint",
  );
export type ForkRequest = z.infer<typeof ForkRequest>;

export const HandoffRequest = z
  .strictObject({
    agent: AgentId.optional(),
    /** Instead of an agent: a profile of `config.json`, or the id of an agent. */
    agent_profile_id: ProfileId.optional(),
    ...definitionChange,
  })
  .refine(
    ({ agent, agent_profile_id }) =>
      agent !== undefined || agent_profile_id !== undefined,
    "give agent or agent_profile_id",
  );
export type HandoffRequest = z.infer<typeof HandoffRequest>;

export const GcRequest = z.strictObject({
  dry_run: z.boolean().default(false),
  /** Reads everything that is stored first. */
  verify: z.boolean().optional(),
});
export type GcRequest = z.infer<typeof GcRequest>;

export const PermissionAnswer = z.strictObject({ option_id: line(200) });
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;

export const ResolveRequest = z.strictObject({
  action: z.enum(["continue", "resend", "drop"]),
  ...caller,
});
export type ResolveRequest = z.infer<typeof ResolveRequest>;

export const EmptyRequest = z.strictObject({});

/** A number in a query, in digits: nothing at all, a sign or `0x10` is a mistake, not a number. */
export const wholeNumber = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (value) =>
      typeof value === "string" && /^\d{1,15}$/.test(value)
        ? Number(value)
        : value,
    z.int("must be a whole number, in digits").min(min).max(max),
  );
/** A yes or no in a query, in words. */
const yesOrNo = () =>
  z.preprocess(
    (value) => (value === "true" ? true : value === "false" ? false : value),
    z.boolean("must be true or false"),
  );
/** A moment of a workspace: what a turn left, a checkpoint, or what is there now. */
const moment = z
  .string()
  .regex(
    /^(\d{1,9}|chk_\d{1,15}|now)$/,
    "must be the number of a turn, the id of a checkpoint, or now",
  );
export const DiffQuery = z.strictObject({
  from: moment.optional(),
  to: moment.optional(),
  /** Also the text of what changed. */
  text: yesOrNo().default(false),
});
export type DiffQuery = z.infer<typeof DiffQuery>;
export const DiskQuery = z.strictObject({
  /** Only of this one. */
  session_id: SessionId.optional(),
});
export const ImportQuery = z.strictObject({
  /** Where its workspace goes: a directory that is not there yet. */
  cwd: line(4096).optional(),
  /** Sessions can only be imported on the machine of the server: another place is refused in words. */
  ...placeFields,
});
export type ImportQuery = z.infer<typeof ImportQuery>;
export type ImportInput = z.input<typeof ImportQuery>;
export const EventsQuery = z.strictObject({
  after: wholeNumber().default(0),
  limit: wholeNumber(1, 10_000).default(1000),
});
/** Without a cursor the newest messages; from there, older ones with `before`. With `after`, newer ones from a message on. */
export const MessagesQuery = z
  .strictObject({
    /** The `next` of a newer page: messages before this one. */
    before: MessageId.optional(),
    /** The `next` of an older page: messages behind this one. `msg_0` begins at the beginning. */
    after: MessageId.optional(),
    /** A page ends earlier when messages are long. */
    limit: wholeNumber(1, 10_000).default(1000),
  })
  .refine(
    ({ before, after }) => before === undefined || after === undefined,
    "give either before or after",
  );
export type MessagesQuery = z.infer<typeof MessagesQuery>;
export const StreamQuery = z.strictObject({ after: wholeNumber().optional() });
export const SessionsQuery = z.strictObject({
  task_id: TaskId.optional(),
  cwd: z.string().optional(),
  state: z.string().optional(),
  /** The id that the agent gave its own session. */
  resume_token: AgentToken.min(1).optional(),
  name: line(200).optional(),
  agent: AgentId.optional(),
  /** Those that were forked from this session. */
  parent: SessionId.optional(),
  /** The beginning of the id. With it, the newest ids come first. */
  prefix: z
    .string()
    .regex(/^ses_[0-9a-z]{0,26}$/, "must be the beginning of an id (ses_…)")
    .optional(),
  /** Only those that stand still until a person does something: their agent asks, or their budget is used up. */
  needs_you: yesOrNo().default(false),
  /** Those in the trash instead of all others. */
  deleted: yesOrNo().default(false),
  /** By what the newest come first: any activity, or what somebody asked of them. */
  order: z.enum(["activity", "wish"]).default("activity"),
  limit: wholeNumber(1, 1000).default(100),
  /** The `next` of the page before. */
  after: z.string().optional(),
});
/** Where an agent would be looked for if a session were started: with the PATH of who asks, in a project that may bring it. */
export const AgentsQuery = z.strictObject({
  path: line(16_384).optional(),
  cwd: line(4096).optional(),
  ...placeFields,
});
export type AgentsQuery = z.infer<typeof AgentsQuery>;
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/, "printable ASCII without spaces");
