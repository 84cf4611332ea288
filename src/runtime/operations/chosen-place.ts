import type { SessionId } from "../../contract/base/id.ts";
import {
  isLocal,
  KIND_DOCKER,
  KIND_REMOTE,
  KIND_SSH,
  LOCAL,
  type PlaceRef,
} from "../../contract/base/place.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Where a session starts, or agents are looked for, by the executor and the host that a request names. */
export const chosenPlace = (
  { hosts }: Pick<OperationDeps, "hosts">,
  { executor, host }: Pick<CreateSessionRequest, "executor" | "host"> = {},
  session?: SessionId,
): PlaceRef => {
  switch (executor) {
    case undefined:
      // A host is another machine: who names one need not say how it is reached.
      return host === undefined ? LOCAL : chosenHost(hosts, host);
    case "standalone":
      if (host === undefined) return LOCAL;
      throw new RepriseError(
        "invalid_request",
        `The executor standalone is this machine and has no host ${host}. Leave one of them out.`,
      );
    case KIND_REMOTE:
    case KIND_SSH:
      return chosenHost(
        hosts.filter(({ kind }) => kind === executor),
        host,
      );
    case "docker":
      if (host === undefined && session !== undefined)
        return { kind: KIND_DOCKER, id: session };
      throw new RepriseError(
        "invalid_request",
        "Containers run on this machine, and each is made for a session.",
      );
    default:
      return unreachable(executor);
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
  hosts: readonly PlaceRef[],
  wanted: string | undefined,
): PlaceRef => {
  const [only, ...others] = hosts;
  const known = hosts.map(({ id }) => id).join(", ");
  if (only === undefined)
    throw new RepriseError(
      "host_not_usable",
      "No host of this kind is named in `executors` of config.json. The guide says what goes there: docs/guide/executors.md.",
    );
  if (wanted === undefined) {
    if (others.length === 0) return only;
    throw new RepriseError("invalid_request", `Say on which host: ${known}.`);
  }
  const found = hosts.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
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
