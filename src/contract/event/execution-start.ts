import * as z from "zod";
import { AgentToken } from "../agent/agent.ts";
import { ExecutionId, PlaceId } from "../base/id.ts";
import { Rebuild } from "../session/rebuild.ts";
import { OpenFailure } from "../agent/opening.ts";
import { PlaceRef } from "../base/place.ts";
import { Resume } from "../agent/resume.ts";

/** An execution begins, as the resume decision has it. */
export const ExecutionStart = z.object({
  execution_id: ExecutionId,
  epoch: z.number().int(),
  term: z.number().int(),
  /** Where it runs. Not said by older releases: `LOCAL`. */
  place: PlaceRef.optional(),
  /** What its agentctl said of itself. Older ones do not say. */
  place_id: PlaceId.optional(),
  path: Resume.shape.path,
  strategy: Resume.shape.strategy,
  token: AgentToken.nullable(),
  /** Why the agent's own session is not asked for, where there is one. */
  failed: OpenFailure.optional(),
  rebuild: Rebuild.optional(),
  /** The label of the credentials that it is started with; not said where the agent has no login variables. */
  credentials: z.string().optional(),
  /** Labels of waiting prompts whose credentials the server does not have any more: it is started with the server's own instead. */
  without: z.array(z.string()).optional(),
});
