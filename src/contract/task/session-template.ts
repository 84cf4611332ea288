import * as z from "zod";
import { AgentDefinition } from "../agent/agent.ts";
import { ProfileId } from "../agent/profile-view.ts";
import { ExecutorKind } from "../base/executor-name.ts";
import { OnQuota } from "../agent/on-quota.ts";

/** How the sessions of a task are made. Nothing in it is secret: it rests in the task's journal. */
export const SessionTemplate = z.object({
  ...AgentDefinition.pick({
    agent: true,
    home: true,
    model: true,
    mode: true,
    instructions: true,
    settings: true,
    allowed_tools: true,
    disallowed_tools: true,
    permissions: true,
    model_fallback: true,
    advisory_tools: true,
  }).partial().shape,
  /** With `agent`, which is the one that the profile had then. */
  agent_profile_id: ProfileId.optional(),
  cwd: z.string().optional(),
  /** A git repository: the first session gets a worktree in it, and later ones work there. */
  worktree: z.string().optional(),
  /** Where they run; as the profile says when nothing of it is said. */
  executor: ExecutorKind.optional(),
  host: z.string().optional(),
  image: z.string().optional(),
  checkpoints: z.boolean().optional(),
  on_quota: OnQuota.optional(),
});
export type SessionTemplate = z.infer<typeof SessionTemplate>;
