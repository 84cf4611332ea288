import { performance } from "node:perf_hooks";
import { VaultFailure } from "../../../checkpoint/format/failure.ts";
import { MAX_FILE_BYTES } from "../../../checkpoint/vault.ts";
import type { Saved } from "../../../checkpoint/capture/save.ts";
import { MAX_XATTR_BYTES } from "../../../checkpoint/format/xattr/xattrs.ts";
import {
  type Capture,
  failedCapture,
  type LeftOut,
} from "../../../contract/session/checkpoint.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import { hasErrno } from "../../../kit/errno.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { type AgentState, saveAgentState } from "./agent-state.ts";
import type { Daemon } from "../../daemon/daemon.ts";
import { captureGit, type Found } from "../git/git-state.ts";
import { type CaptureRoot, workspaceAt } from "./root.ts";

/** For this share of its time a capture gives way to agents that speak: then it has to come to an end. */
const GIVE_WAY = 1 / 4;

/** Captures a workspace and the agent's own session files. What can go wrong with a directory or a disk is an outcome. */
export const checkpoint = async (
  daemon: Daemon,
  order: LinkParams<"checkpoint">,
): Promise<Capture> => {
  const { storage } = daemon;
  const { agent, most_bytes } = order;
  const began = performance.now();
  const deadline = AbortSignal.timeout(order.deadline_ms);
  const signal = AbortSignal.any([deadline, storage.closing]);
  try {
    const workspace = await workspaceAt(storage.home, order.cwd, agent.env);
    return await storage.locks.hold(
      workspace.root,
      async () => {
        const vault = await storage.vault();
        const [saved, state, git] = await Promise.all([
          vault.save({
            ...workspace,
            signal,
            ...(daemon.speakers.areOthers(order.session_id) && {
              giveWayMs: order.deadline_ms * GIVE_WAY,
            }),
            ...(most_bytes && { limits: { maxBytes: most_bytes } }),
          }),
          saveAgentState(daemon, order, signal),
          captureGit(storage, order, signal),
        ]);
        const took = performance.now() - began;
        return captured(saved, state, git, workspace.why, took);
      },
      signal,
    );
  } catch (error) {
    const reason = deadline.aborted
      ? `it takes longer than ${order.deadline_ms / 1000} s; what was read is kept for the next try`
      : reasonOf(error);
    if (reason === null) throw error;
    return failedCapture(reason, performance.now() - began);
  }
};

const captured = (
  saved: Saved,
  state: AgentState,
  { git, left_out }: Found,
  why: CaptureRoot["why"],
  took_ms: number,
): Capture => ({
  outcome: saved.outcome,
  reason: null,
  tree: saved.tree,
  agent_state: state.tree,
  files: saved.files,
  bytes: saved.bytes,
  new_bytes: saved.new_bytes,
  took_ms: Math.round(took_ms),
  unstable: first(saved.unstable),
  unreadable: first(saved.unreadable),
  left_out: first([
    ...(state.left_out === null ? [] : [state.left_out]),
    ...left_out,
    ...saved.left_out.map((each) => leftOut(each, why)),
  ]),
  ...(git !== undefined && { git }),
});

const MAX_NAMES = 100;

const first = <T>(names: readonly T[]): T[] => names.slice(0, MAX_NAMES);

const leftOut = (
  { path, reason }: Saved["left_out"][number],
  why: CaptureRoot["why"],
): LeftOut => {
  switch (reason) {
    case "asked":
      return { path, reason: why.get(path) ?? "it is not to be captured" };
    case "ignored":
      return { path, reason: "it is named in .repriseignore" };
    case "mounted":
      return { path, reason: MOUNTED };
    case "too_large":
      return {
        path,
        reason: `it is larger than ${MAX_FILE_BYTES / 1024 ** 3} GiB`,
      };
    case "attributes":
      return {
        path,
        reason: `of its extended attributes only its permissions: all of them take more than ${MAX_XATTR_BYTES / 1024} KiB, or cannot be read`,
      };
    case "unstable":
    case "unreadable":
      return { path, reason };
    default:
      return unreachable(reason);
  }
};

const MOUNTED =
  "something is mounted there, which is not part of the workspace";

/** Null for what should never happen. */
const reasonOf = (error: unknown): string | null => {
  if (hasErrno(error, "ENOSPC", "EDQUOT")) return DISK_FULL;
  if (!(error instanceof VaultFailure)) return null;
  if (error.code === "out_of_memory") return OUT_OF_MEMORY;
  return error.code === "storage_full" ? DISK_FULL : error.message;
};

const OUT_OF_MEMORY =
  "there is not enough memory for so many files; name what need not be captured in .repriseignore";

const DISK_FULL = "there is no room on the disk";
