import type { Resume } from "../../../contract/agent/resume.ts";
import { orAborted } from "../../../kit/time/or-aborted.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import type { Env } from "../capture/not-captured.ts";
import { workspaceAt } from "../capture/root.ts";

/**
 * Whether a workspace is as its newest checkpoint has it; null when that cannot be told in time. An agent waits for the
 * answer, so it comes in time whatever the vault does: a prune, or a thread that another call still holds, may take minutes.
 */
export const compareWorkspace = async (
  storage: CheckpointStorage,
  { cwd, env }: { cwd: string; env: Env },
  tree: string,
  until: AbortSignal,
): Promise<Resume["workspace"]> => {
  const signal = AbortSignal.any([until, storage.closing]);
  if (signal.aborted) return null;
  try {
    return await orAborted(
      compare(storage, { cwd, env }, tree, signal),
      signal,
    );
  } catch {
    return null;
  }
};

const compare = async (
  storage: CheckpointStorage,
  { cwd, env }: { cwd: string; env: Env },
  tree: string,
  signal: AbortSignal,
): Promise<"changed" | "unchanged"> => {
  const workspace = await workspaceAt(storage.home, cwd, env);
  const changes = await storage.locks.hold(
    workspace.root,
    async () => (await storage.vault()).compare(tree, { ...workspace, signal }),
    signal,
  );
  return changes.some(({ kind }) => kind !== "time") ? "changed" : "unchanged";
};
