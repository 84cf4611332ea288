import * as z from "zod";
import { AgentId } from "../agent/agent.ts";

/** How a session stands with the quotas of its agents. */
export const SessionQuota = z.object({
  /** Agents whose quota is used up. */
  used_up: z.array(
    z.object({
      agent: AgentId,
      /** They are not tried again before. */
      until: z.iso.datetime(),
      /** The agent itself named this time. */
      is_told: z.boolean(),
    }),
  ),
  /** The agent that the session goes back to when its quota is filled again. */
  stands_in_for: AgentId.nullable(),
  /** When a turn that was cut off by a quota goes on by itself; null where none waits for a time. */
  goes_on_at: z.iso.datetime().nullable(),
  /** When prompts that wait for the quota of the session's agent begin by themselves; null where none do. Servers of older releases do not say. */
  prompts_wait_until: z.iso.datetime().nullable().default(null),
  /** The agent that was to stand in could not be started, and another one takes its place: at this time, or as soon as it can. */
  next_agent: z
    .object({ at: z.iso.datetime().nullable() })
    .nullable()
    .default(null),
});
export type SessionQuota = z.infer<typeof SessionQuota>;

export const NO_QUOTA: SessionQuota = {
  used_up: [],
  stands_in_for: null,
  goes_on_at: null,
  prompts_wait_until: null,
  next_agent: null,
};
