import * as z from "zod";
import { keysOf } from "../base/keys-of.ts";
import { problems, type ProblemCode as Code } from "./problem-codes.ts";
import { RepriseError } from "./reprise-error.ts";
import { Restriction } from "../agent/restriction.ts";
import { ResumeReason } from "../agent/resume.ts";

export { problems, RepriseError };

export type ProblemCode = Code;
export const ProblemCode = z.enum(keysOf(problems));

/** RFC 9457, with a closed `code`. `detail` says what happened and what to do. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: ProblemCode,
  detail: z.string(),
  /** The state that stood in the way, for `wrong_state` and `session_ended`. */
  state: z.string().optional(),
  /** What was wrong with the request, field by field. */
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional(),
  /** For `session_damaged` and `task_damaged`: the number of the first event that cannot be trusted. */
  damaged_from: z.number().int().optional(),
  /** For `restriction_not_held`. */
  restriction: Restriction.optional(),
  /** For a resume: why the agent cannot be had, in the words of `resume_reason` in the session's status. */
  reason: ResumeReason.optional(),
});
export type Problem = z.infer<typeof Problem>;

export const problemOf = (error: RepriseError): Problem => {
  const [status, title] = problems[error.code];
  return {
    type: `urn:reprise:problem:${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    ...(error.state === undefined ? {} : { state: error.state }),
    ...(error.issues === undefined ? {} : { issues: error.issues }),
    ...(error.damaged_from === undefined
      ? {}
      : { damaged_from: error.damaged_from }),
    ...(error.restriction === undefined
      ? {}
      : { restriction: error.restriction }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
  };
};
