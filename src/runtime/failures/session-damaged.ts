import { RepriseError } from "../../contract/problem/problem.ts";

/** The journal of the session is not what was written. Trying again does not help. */
export const isSessionDamaged = (error: unknown): error is RepriseError =>
  error instanceof RepriseError && error.code === "session_damaged";

/** That, or the database itself is damaged. */
export const isDamage = (error: unknown): boolean =>
  isSessionDamaged(error) ||
  (error instanceof RepriseError && error.code === "storage_damaged");
