import type { ProblemCode } from "./problem-codes.ts";
import type { Restriction } from "../agent/restriction.ts";
import type { ResumeReason } from "../agent/resume.ts";

type Issues = { path: string; message: string }[] | undefined;

/**
 * The one error class of the house: an accident or a refusal that has to travel up a call stack. It stands apart from what
 * checks problems, so that threads which only throw it start without that.
 */
export class RepriseError extends Error {
  readonly code: ProblemCode;
  readonly state: string | undefined;
  readonly issues: Issues;
  readonly damaged_from: number | undefined;
  readonly restriction: Restriction | undefined;
  readonly reason: ResumeReason | undefined;
  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      cause?: unknown;
      state?: string;
      issues?: Issues;
      damaged_from?: number;
      restriction?: Restriction | undefined;
      reason?: ResumeReason;
    } = {},
  ) {
    super(detail, more.cause === undefined ? {} : { cause: more.cause });
    this.name = "RepriseError";
    this.code = code;
    this.state = more.state;
    this.issues = more.issues;
    this.damaged_from = more.damaged_from;
    this.restriction = more.restriction;
    this.reason = more.reason;
  }
}
