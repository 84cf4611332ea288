/** What must be there before an agent starts: its workspace, and its own session. */
import type { Agent } from "../../agents/agent/agent.ts";
import { VaultFailure } from "../../checkpoint/format/failure.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import type { StartFailure } from "../../contract/link/report.ts";
import { attributesLeftOut } from "../../contract/session/checkpoint.ts";
import type { Resume } from "../../contract/agent/resume.ts";
import { hasErrno } from "../../kit/errno.ts";
import type { Open } from "../drivers/driver.ts";
import type { Execution } from "./execution.ts";
import { openingFacts } from "./opening-facts.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { compareWorkspace } from "../workspace/changes/compare.ts";
import { putBack } from "../workspace/rewind/put-back.ts";
import { restoreMissing } from "../workspace/rewind/restore.ts";
import { repairWorktree } from "../workspace/git/worktree.ts";

/** Makes a missing workspace. True when it did, or why it could not. */
export const prepareWorkspace = async (
  execution: Execution,
  { rebuild, worktree = null, cwd }: StartOrder,
): Promise<boolean | { failure: StartFailure; message: string }> => {
  try {
    if (rebuild?.restore === true) {
      const made = await restoreMissing(execution.daemon.storage, {
        cwd,
        tree: rebuild.tree,
        worktree,
        moved: rebuild.moved === true,
        git: rebuild.git,
        isStillNeeded: () => !execution.history.stopping,
      });
      if (made?.unlinked === true) execution.notice("git_left_out", UNLINKED);
      if (made !== null && made.incomplete.length > 0)
        execution.notice(
          "attributes_left_out",
          attributesLeftOut(made.incomplete),
        );
      return made !== null;
    }
    if (worktree !== null) await repairWorktree(worktree);
    return false;
  } catch (error) {
    if (!isExpected(error)) throw error;
    execution.log("the workspace cannot be restored", error);
    return {
      failure: isDiskFull(error) ? "out_of_disk" : "workspace_missing",
      message: `The workspace ${cwd} could not be restored: ${error.message}`,
    };
  }
};

const UNLINKED =
  "The workspace was captured in a worktree of a git repository. Its files are here; git is not, because what is committed here would change that worktree.";

/** Holds a workspace that was there against its newest checkpoint. What starts for the first time has changed nothing yet. */
export const lookAtWorkspace = async (
  { daemon }: Execution,
  order: StartOrder,
  until: AbortSignal,
): Promise<Resume["workspace"]> => {
  const { rebuild, predecessors } = order;
  const tree = rebuild?.tree ?? null;
  if (tree === null || predecessors.length === 0) return null;
  const found = await compareWorkspace(daemon.storage, order, tree, until);
  // It was missing when this start was ordered: an agentctl that died meanwhile has brought it back.
  return found === "unchanged" && rebuild?.restore === true
    ? "restored"
    : found;
};

/** Puts the agent's own session back where that was asked for, and says how to ask for it. */
export const prepareOpening = async (
  execution: Execution,
  agent: Agent,
  order: StartOrder,
  env: Record<string, string>,
): Promise<Open> => {
  const { open, rebuild, cwd, definition } = order;
  const memory = rebuild?.memory ?? null;
  if (open.kind === "new" || memory === null)
    return openingFacts(execution, agent, order, env);
  const { storage } = execution.daemon;
  try {
    const isSandboxed = definition.sandbox !== undefined;
    const where = { home: env["HOME"] ?? "", cwd, env, isSandboxed };
    const { token, transcript } = await putBack(storage, agent, where, memory);
    const found = { ...open, token, transcript };
    execution.isPutBack = transcript !== null;
    const opening = await openingFacts(
      execution,
      agent,
      { ...order, open: found },
      env,
    );
    const at = memory.last_message_id;
    return opening.kind === "native" && at !== undefined
      ? { ...opening, at }
      : opening;
  } catch (error) {
    execution.log("the agent's own session cannot be put back", error);
    const why = error instanceof Error ? error.message : String(error);
    const barred = `its own session could not be put back: ${why}`;
    const { token, turns } = open;
    return { kind: "native", token, turns, transcript: "missing", barred };
  }
};

const isExpected = (error: unknown): error is Error =>
  error instanceof VaultFailure ||
  error instanceof LinkError ||
  (error instanceof Error && "errno" in error);

const isDiskFull = (error: Error): boolean =>
  hasErrno(error, "ENOSPC", "EDQUOT") ||
  (error instanceof VaultFailure && error.code === "storage_full");
