import * as z from "zod";
import { Abilities, AgentDefinition } from "../agent/agent.ts";
import { Budget } from "../base/budget.ts";
import { OnQuota } from "../agent/on-quota.ts";
import { SessionId } from "../base/id.ts";
import { PlaceRef } from "../base/place.ts";

/** How a session begins: what was asked for, and where it works. */
export const SessionCreated = z.object({
  name: z.string().max(200).nullable(),
  definition: AgentDefinition,
  abilities: Abilities,
  executor: z.string(),
  /** Not said by older releases: `LOCAL`. */
  place: PlaceRef.optional(),
  cwd: z.string(),
  worktree: z
    .object({
      id: z.string(),
      path: z.string(),
      branch: z.string(),
      repository: z.string(),
    })
    .nullable(),
  on_interrupt: z.enum(["wait", "continue"]),
  /** What it may spend in all, where that is limited. */
  budget: Budget.optional(),
  /** As `on_interrupt` says, where it is not said. */
  on_quota: OnQuota.optional(),
  /** Whether turns are checkpointed. */
  checkpoints: z.boolean().optional(),
  parent: z
    .object({ session_id: SessionId, turn: z.number().int() })
    .nullable(),
  /** The session whose agent started this one by a tool call. */
  called_by: SessionId.optional(),
});
