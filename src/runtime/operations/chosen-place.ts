import type { SessionId } from "../../contract/base/id.ts";
import {
  isLocal,
  KIND_DOCKER,
  KIND_REMOTE,
  LOCAL,
  type PlaceRef,
} from "../../contract/base/place.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { chosenExecutor } from "../callers/chosen-executor.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Where a session starts, or agents are looked for, by the executor and the host that a request names. */
export const chosenPlace = (
  { hosts }: Pick<OperationDeps, "hosts">,
  wish: Pick<CreateSessionRequest, "executor" | "host"> = {},
  session?: SessionId,
): PlaceRef => {
  const { host } = wish;
  const kind = chosenExecutor(wish);
  switch (kind) {
    case "standalone":
      if (host === undefined) return LOCAL;
      throw new RepriseError(
        "invalid_request",
        `The executor standalone is this machine and has no host ${host}. Leave one of them out.`,
      );
    case "remote":
      return { kind: KIND_REMOTE, id: chosenHost(hosts, host) };
    case "docker":
      if (host === undefined && session !== undefined)
        return { kind: KIND_DOCKER, id: session };
      throw new RepriseError(
        "invalid_request",
        "Containers run on this machine, and each is made for a session.",
      );
    default:
      return unreachable(kind);
  }
};

/** Refuses what the sessions of a place cannot have, before anything is made. */
export const requireFit = (
  at: PlaceRef,
  { image, worktree }: Pick<CreateSessionRequest, "image" | "worktree">,
): void => {
  if (image !== undefined && at.kind !== KIND_DOCKER)
    throw new RepriseError(
      "invalid_request",
      `An image is for the executor docker; this session runs on ${at.kind}. Leave one of them out.`,
    );
  if (worktree !== undefined && !isLocal(at))
    throw new RepriseError(
      "not_supported",
      at.kind === KIND_DOCKER
        ? "A worktree can be made on the machine of the server only, not in a container. Give the directory of a checkout as cwd."
        : `A worktree can be made on the machine of the server only, not on the host ${at.id}. Give the directory of a checkout there as cwd.`,
    );
};

const chosenHost = (
  hosts: readonly string[],
  wanted: string | undefined,
): string => {
  const [only, ...others] = hosts;
  const known = hosts.join(", ");
  if (only === undefined)
    throw new RepriseError(
      "host_not_usable",
      "No host is named in `executors` of config.json. What an agentctl prints when it listens on a host goes there.",
    );
  if (wanted === undefined) {
    if (others.length === 0) return only;
    throw new RepriseError("invalid_request", `Say on which host: ${known}.`);
  }
  if (hosts.includes(wanted)) return wanted;
  throw new RepriseError(
    "host_not_usable",
    `There is no host ${wanted} in \`executors\` of config.json. Known are: ${known}.`,
  );
};

/** Where a session works, as far as its row tells; null where there is none. */
export const placeOfSession = async (
  { store }: Pick<OperationDeps, "store">,
  session: SessionId,
): Promise<PlaceRef | null> => (await store.session(session))?.place ?? null;
