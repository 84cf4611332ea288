import * as z from "zod";
import { PlaceId } from "../base/id.ts";

/** An agentctl was reached for a session: who it is, and what it says it can do for the session. */
export const AgentctlReady = z.object({
  runtime: z.string(),
  url: z.string(),
  pid: z.number().int().nullable(),
  build: z.string(),
  /** Of the place it looks after. Older agentctls do not say. */
  place_id: PlaceId.optional(),
  port: z.number().int().nullable().optional(),
  container_id: z.string().nullable().optional(),
  /** What it answered when it was probed. Older releases did not ask, older agentctls do not say. */
  supports_session_resume: z.boolean().optional(),
  supports_workspace_only: z.boolean().optional(),
});
