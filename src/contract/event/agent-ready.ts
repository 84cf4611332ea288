import * as z from "zod";
import { Abilities, AgentToken } from "../agent/agent.ts";
import { Offered } from "../agent/offered.ts";
import { InForce } from "../agent/restriction.ts";
import { ExecutionId } from "../base/id.ts";
import { SystemPrompt } from "../agent/opening.ts";

/** The agent takes prompts. */
export const AgentReady = z.object({
  execution_id: ExecutionId,
  epoch: z.number().int(),
  token: AgentToken.nullable(),
  abilities: Abilities,
  agent_info: z
    .object({ name: z.string(), version: z.string().nullable() })
    .nullable(),
  /** How its own session came about; not said by releases that did not ask. */
  opened: z.enum(["new", "resumed", "loaded"]).optional(),
  /** What is in force; not said by releases that did not look. */
  applied: InForce.optional(),
  /** What it offers to choose from; not said by releases that did not ask. */
  offered: Offered.optional(),
  /** What was added to its system prompt, where anything was. */
  system_prompt: SystemPrompt.optional(),
});
