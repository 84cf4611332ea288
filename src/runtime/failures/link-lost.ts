import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";

/** The link to agentctl broke, or none can be had: the same may go well when the network, the host or a file is in order again. */
export const isLinkLost = (error: unknown): boolean =>
  error instanceof RepriseError && CODES.has(error.code);

const CODES: ReadonlySet<ProblemCode> = new Set([
  "agentctl_unavailable",
  "wrong_fingerprint",
  "host_not_usable",
  "docker_unavailable",
  "container_not_usable",
]);
