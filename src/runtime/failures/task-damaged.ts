import { RepriseError } from "../../contract/problem/problem.ts";

/** The journal of the task is not what was written. Trying again does not help. */
export const isTaskDamaged = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "task_damaged";
