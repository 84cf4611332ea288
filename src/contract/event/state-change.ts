import * as z from "zod";
import { Restriction } from "../agent/restriction.ts";
import { ResumeReason } from "../agent/resume.ts";
import { StateName, StateReason } from "../session/state.ts";

/** A session went from one state to another. */
export const StateChange = z.object({
  from: StateName,
  to: StateName,
  reason: StateReason,
  message: z.string().nullable(),
  /** What could not be held, where that is why it is in `ERROR`. */
  restriction: Restriction.optional(),
  /** Why the agent could not be had, where that is known. */
  code: ResumeReason.optional(),
  /** How the start of the agent failed, where it was tried. */
  failure: z.string().optional(),
});
