import { RepriseError } from "../contract/problem/problem.ts";

/** Another server has taken over what was to be written, or the place that it belongs to. */
export const isSuperseded = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "superseded";
