/** What happens to a session because the quota of an agent is used up or filled again, and handing it to another agent. */
import * as z from "zod";
import { Abilities, AgentDefinition, AgentId } from "../agent/agent.ts";

export const HandedOff = z.object({
  from: z.string(),
  definition: AgentDefinition,
  abilities: Abilities,
  /** Nobody asked for it: a quota is the reason. */
  quota: z
    .object({
      /** The quota of `from` is used up, that of the agent it goes back to is filled again, or `from` could not be started. */
      why: z.enum(["used_up", "filled", "failed"]),
      /** With `used_up`: until when, where the agent said so. */
      until: z.iso.datetime().nullable(),
    })
    .optional(),
});

/** The time has come at which an agent's quota is filled again. */
export const QuotaFilled = z.object({
  agent: AgentId,
  /** Somebody has the agent tried before that time. */
  by_hand: z.boolean().optional(),
});

/** An agent that was to stand in cannot: the next one is tried. */
export const QuotaPassedOver = z.object({
  agent: AgentId,
  code: z.string(),
  message: z.string(),
});
