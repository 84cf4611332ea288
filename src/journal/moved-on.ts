import { RepriseError } from "../contract/problem/problem.ts";

/** Another writer went on with the journal: what was decided was decided too early, and nothing of it is written. */
export const isMovedOn = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "moved_on";
