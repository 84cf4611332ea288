import { RepriseError } from "../../contract/problem/problem.ts";

/** There is an engine, and it makes no container for this session, or none in which agentctl can be reached. */
export const notUsable = (message: string, cause?: unknown): RepriseError =>
  new RepriseError(
    "container_not_usable",
    message,
    cause === undefined ? {} : { cause },
  );
