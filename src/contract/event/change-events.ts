import * as z from "zod";
import { AgentDefinition } from "../agent/agent.ts";
import { AgentSettings, SETTINGS } from "../agent/agent-settings.ts";
import { OnQuota } from "../agent/on-quota.ts";
import { Budget } from "../base/budget.ts";
import { Offered } from "../agent/offered.ts";
import { InForce, Restriction } from "../agent/restriction.ts";

/** What a session itself is to be like. */
const SessionSettings = z.object({
  name: z.string().optional(),
  on_interrupt: z.enum(["wait", "continue"]).optional(),
  on_quota: OnQuota.optional(),
});

/** Changes of a session have a number each. */
const change = z.number().int();

export const changeEvents = {
  /** Its agent runs and has to confirm it first. */
  "session.change.requested": z.object({
    change,
    ...SessionSettings.shape,
    /** Null: whatever it takes. */
    budget: Budget.nullable().optional(),
    ...AgentSettings.shape,
  }),
  /** The agent cannot be held to it: nothing was changed. */
  "session.change.refused": z.object({ change, restriction: Restriction }),
  "session.changed": SessionSettings,
  /** How the agent is to work was changed. */
  "session.definition.changed": z.object({
    definition: AgentDefinition,
    /** The request that this fulfils, where its agent ran. */
    change: change.optional(),
    /** What is in force and on offer now, where the agent confirmed it. */
    applied: InForce.optional(),
    offered: Offered.optional(),
    /** The agent runs and could not be told of these. */
    at_next_start: z.array(z.enum(SETTINGS)).optional(),
  }),
} as const;
