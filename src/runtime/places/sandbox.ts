/** Nothing that belongs into a sandbox is begun where none can be made, nor by an agentctl that does not know of them (SBX-3). */
import type { Sandbox } from "../../contract/agent/sandbox.ts";
import { isLocal, type PlaceRef } from "../../contract/base/place.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Place } from "../ports/executors.ts";

export const checkSandboxedPlace = (
  at: PlaceRef,
  { sandbox, worktree }: Pick<CreateSessionRequest, "sandbox" | "worktree">,
): void => {
  if (sandbox === undefined) return;
  if (!isLocal(at))
    throw new RepriseError(
      "sandbox_unavailable",
      `Sandboxes are made on the machine of the server, and this session runs at ${at.kind}. Leave out the sandbox, or the executor.`,
    );
  if (worktree !== undefined)
    throw new RepriseError(
      "not_supported",
      "A worktree shares the .git of its repository, which a sandbox keeps out of reach. Give the directory of a clone as cwd.",
    );
};

export const checkSandbox = async (
  place: Place,
  sandbox: Sandbox | undefined,
  cwd?: string,
): Promise<void> => {
  if (sandbox === undefined) return;
  const { why } = await place.run
    .sandbox({ sandbox, cwd: cwd ?? null })
    .catch((error: unknown) => {
      if (!(error instanceof LinkError) || error.code !== "unknown_method")
        throw error;
      return {
        why: "The agentctl that runs here is of a release that makes no sandboxes. It is replaced when no agent runs any more.",
      };
    });
  if (why !== null) throw new RepriseError("sandbox_unavailable", why);
};
