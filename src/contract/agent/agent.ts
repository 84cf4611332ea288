import * as z from "zod";
import { PermissionPolicy } from "./permission.ts";
import { Sandbox } from "./sandbox.ts";

export const AgentId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,63}$/,
    "must be lower-case letters, digits and dashes",
  );
export type AgentId = z.infer<typeof AgentId>;

/** The agents that come with Reprise. Configuration may change how they are launched, and define others by their command. */
export const BUILT_IN_AGENTS = [
  "claude",
  "codex",
  "opencode",
  "gemini",
  "copilot",
  "auggie",
  "amp",
  "demo",
  "demo-inject",
  "demo-fresh",
] as const;
export type BuiltInAgent = (typeof BUILT_IN_AGENTS)[number];

export const isBuiltIn = (agent: string): boolean =>
  BUILT_IN_AGENTS.some((id) => id === agent);

/** What an agent calls its own session. It goes into command lines and names of files. */
export const AgentToken = z.string().max(1000);

/** What an agent calls one of its messages. It goes into command lines too. */
export const AgentMessageId = z.string().min(1).max(200);

/** What an agent can do with its own sessions: from its handshake, restricted by configuration. */
export const Abilities = z.object({
  resume: z.boolean(),
  load: z.boolean(),
  close: z.boolean(),
  /** Whether history may be put into the first prompt of a fresh agent session. */
  injection: z.boolean(),
  images: z.boolean(),
  /** Whether a prompt may carry the text of files. Older journals do not say. */
  files: z.boolean().optional(),
  /** Whether instructions may go into its system prompt. */
  system_prompt: z.boolean().optional(),
});
export type Abilities = z.infer<typeof Abilities>;

export const canResumeNatively = (abilities: Abilities): boolean =>
  abilities.resume || abilities.load;

export const McpServer = z.strictObject({
  name: z.string(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.url().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
export type McpServer = z.infer<typeof McpServer>;

/** A file in a workspace that tells agents how to work there. */
export const InstructionFile = z.object({
  name: z.string(),
  sha256: z.string(),
});
export type InstructionFile = z.infer<typeof InstructionFile>;

/** Which agent a session runs and how: recorded at creation, used again by every resume. Holds names of variables, never values. */
export const AgentDefinition = z.object({
  agent: AgentId,
  home: z.enum(["user", "session"]),
  model: z.string().optional(),
  mode: z.string().optional(),
  /** Values for options that the agent offers, besides its model and its mode, by their ids. */
  options: z.record(z.string(), z.string()).optional(),
  instructions: z.string().optional(),
  /** Those of the workspace, as they were when the agent was last started. */
  instruction_files: z.array(InstructionFile).optional(),
  /** The agent's own settings, handed on as they are. */
  settings: z.record(z.string(), z.unknown()).optional(),
  mcp_servers: z.array(McpServer).optional(),
  allowed_tools: z.array(z.string()).optional(),
  disallowed_tools: z.array(z.string()).optional(),
  permissions: PermissionPolicy.optional(),
  /** A model that the agent does not have is no reason to stop: it runs with its own. */
  model_fallback: z.boolean().optional(),
  /** Limits of tools that nobody can hold are told to the agent in words. */
  advisory_tools: z.boolean().optional(),
  /** What holds its processes, and those of the session's commands and shells; without it they run as the user does. */
  sandbox: Sandbox.optional(),
  env_names: z.array(z.string()),
  /** The profile that it was made by, where that is not the agent's own. */
  profile: AgentId.optional(),
  /** Variables that the agent gets from the server's environment at each start, by their names there. */
  env_from: z.record(z.string(), z.string()).optional(),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

/** How a CLI that prints JSON lines takes prompts and tells what it does. */
export const CliDialect = z.enum(["claude", "codex", "amp"]);
export type CliDialect = z.infer<typeof CliDialect>;

/** Whether an agent asks before a tool runs: before every one, before those that it thinks need it, or never. */
export const Asks = z.enum(["all", "some", "none"]);
export type Asks = z.infer<typeof Asks>;

/** How configuration changes the way an agent is launched. */
export const AgentOverride = z.strictObject({
  driver: z.enum(["acp", "stream-json"]).optional(),
  /** With `stream-json`: what the command prints, when it is not the agent's own program. */
  dialect: CliDialect.optional(),
  command: z.array(z.string().min(1)).min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  home: z.enum(["user", "session"]).optional(),
  native_session_resume: z.boolean().optional(),
  history_context_injection: z.boolean().optional(),
  asks: Asks.optional(),
});
export type AgentOverride = z.infer<typeof AgentOverride>;

/** An agent in the list of those that are known. */
export const AgentView = z.object({
  id: AgentId,
  name: z.string(),
  driver: z.enum(["acp", "stream-json"]),
  installed: z.boolean(),
  version: z.string().nullable(),
  command: z.array(z.string()),
  native_session_resume: z.boolean(),
  history_context_injection: z.boolean(),
  /** The command that installs it, or null when nothing is missing. */
  install: z.string().nullable(),
  /** The program that was looked for and not found, or null when nothing is missing. */
  missing: z.string().nullable().optional(),
  /** Only `config.json` defines it: what it can do is presumed until it runs. */
  configured: z.boolean().optional(),
  /** Where it was found; `npx` fetches it when it is first started. */
  found: z
    .enum(["built-in", "config", "path", "project", "npx"])
    .nullable()
    .optional(),
  /** Whether somebody has logged in to it here, as far as files and variables tell. */
  login: z.enum(["yes", "no", "unknown"]).optional(),
  /** The command that logs in, or null when there is none to give. */
  login_command: z.string().nullable().optional(),
  /** Variables that are a login to it: any of them will do, in the environment of who asks. */
  login_variables: z.array(z.string()).optional(),
});
export type AgentView = z.infer<typeof AgentView>;
