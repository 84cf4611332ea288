import { RepriseError } from "../../contract/problem/problem.ts";

/** The session was purged while something was done for it: there is nothing left to do. */
export const isSessionGone = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "session_not_found";
