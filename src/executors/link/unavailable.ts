import { RepriseError } from "../../contract/problem/problem.ts";

/** agentctl cannot be reached now, or does no more now. The same may go well another time. */
export const unavailable = (message: string, cause?: unknown): RepriseError =>
  new RepriseError(
    "agentctl_unavailable",
    message,
    cause === undefined ? {} : { cause },
  );
