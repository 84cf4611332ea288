/** What `invoke_agent` takes. */
import * as z from "zod";
import { AgentId } from "../../contract/agent/agent.ts";
import { ProfileId } from "../../contract/agent/profile-view.ts";
import {
  CreateSessionFields,
  MAX_PROMPT_BYTES,
  PromptText,
} from "../../contract/api/request.ts";

const patterns = z.array(z.string().min(1).max(1000)).max(500);

/** What the server would refuse is refused before a session is made for it. */
const Words = PromptText.refine(
  (text) => text.isWellFormed(),
  "holds half a character",
).refine(
  (text) => Buffer.byteLength(text) <= MAX_PROMPT_BYTES,
  `is longer than ${MAX_PROMPT_BYTES} bytes`,
);

export const InvokeInput = z.strictObject({
  agentName: AgentId.describe("Name of the agent to invoke"),
  prompt: Words.describe("Prompt to send to the agent"),
  continueSessionId: z
    .string()
    .optional()
    .describe("Session ID to continue a previous conversation (optional)"),
  continueMostRecent: z
    .boolean()
    .optional()
    .describe(
      "Continue this agent's most recent conversation in this directory (optional)",
    ),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Model of the agent, by its own name for it (optional)"),
  profile: ProfileId.optional().describe(
    "Profile of this agent that a new session is made by; list_agents shows them (optional)",
  ),
  allowedTools: patterns
    .optional()
    .describe(
      "The only tools that the agent may use, like Read or Bash(git *)",
    ),
  disallowedTools: patterns
    .optional()
    .describe("Tools that the agent may not use"),
  maxTurns: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("How many tool calls the agent may make for this prompt"),
  permissions: z
    .enum(["ask", "allow-read", "allow-all"])
    .optional()
    .describe(
      "What the agent may do without asking; ask unless it is said. Permissions that it asks for are answered by a person or with answer_permission",
    ),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Absolute path of the directory in which a new session works"),
  executor: CreateSessionFields.shape.executor.describe(
    "Where a new session runs: standalone is the machine of the server (default), remote another host, docker a container of its own",
  ),
  host: CreateSessionFields.shape.host.describe(
    "Host on which a new session runs, by its name in config.json; cwd is a directory there",
  ),
  image: CreateSessionFields.shape.image.describe(
    "Image of the container of a new session, with the executor docker",
  ),
  waitSeconds: z
    .number()
    .min(0)
    .max(1500)
    .optional()
    .describe(
      "How long to wait for the result; after it the agent goes on and wait_for_session gets the result",
    ),
});
export type InvokeInput = z.output<typeof InvokeInput>;
