import { VaultFailure } from "../../../checkpoint/format/failure.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import type { Capture } from "../../../contract/session/checkpoint.ts";
import { orAborted } from "../../../kit/time/or-aborted.ts";
import type { Daemon } from "../../daemon/daemon.ts";
import { checkpoint } from "../capture/checkpoint.ts";

/** It takes milliseconds, unless a prune or somebody's large capture is before it. */
const MAX_MS = 2000;

/** Captures a workspace, and counts what changed since an earlier tree where that is asked. */
export const countedCheckpoint = async (
  daemon: Daemon,
  order: LinkParams<"checkpoint">,
): Promise<Capture> => {
  const capture = await checkpoint(daemon, order);
  if (order.since === undefined || capture.tree === null) return capture;
  const signal = AbortSignal.any([
    AbortSignal.timeout(MAX_MS),
    daemon.storage.closing,
  ]);
  try {
    const vault = await daemon.storage.vault();
    const counting = vault.count(order.since, capture.tree);
    return { ...capture, changes: await orAborted(counting, signal) };
  } catch (error) {
    // The tree before it is lost, or others hold the vault for long: the capture is none the worse.
    if (error instanceof VaultFailure || signal.aborted) return capture;
    throw error;
  }
};
