import type { Resume } from "../../contract/resume.ts";
import type { Depot } from "./depot.ts";
import type { Env } from "./not-captured.ts";
import { workspaceAt } from "./root.ts";

/** Whether a workspace is as its newest checkpoint has it; null when that cannot be told in time. */
export const compareWorkspace = async (
  depot: Depot,
  { cwd, env }: { cwd: string; env: Env },
  tree: string,
  until: AbortSignal,
): Promise<Resume["workspace"]> => {
  const signal = AbortSignal.any([until, depot.closing]);
  try {
    const workspace = await workspaceAt(depot.home, cwd, env);
    const changes = await depot.locks.hold(
      workspace.root,
      async () => (await depot.vault()).compare(tree, { ...workspace, signal }),
      signal,
    );
    return changes.some(({ kind }) => kind !== "time")
      ? "changed"
      : "unchanged";
  } catch {
    return null;
  }
};
