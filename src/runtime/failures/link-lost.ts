import { RepriseError } from "../../contract/problem/problem.ts";

/** The link to agentctl broke, or none can be had. */
export const isLinkLost = (error: unknown): boolean =>
  error instanceof RepriseError &&
  (error.code === "agentctl_unavailable" ||
    error.code === "docker_unavailable" ||
    error.code === "container_not_usable");
