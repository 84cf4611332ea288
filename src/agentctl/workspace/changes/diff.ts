import type { Vault } from "../../../checkpoint/vault.ts";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { workspaceAt } from "../capture/root.ts";
import { textOfChanges } from "./text-of-changes.ts";
import { MAX_CHANGES, mountedAt, toldChanges } from "./told-changes.ts";

/** What is different between two trees, or between one and a workspace as it is. */
export const diff = async (
  storage: CheckpointStorage,
  { from, to, text }: LinkParams<"diff">,
): Promise<LinkResult<"diff">> => {
  const vault = await storage.vault();
  const { tree, notRead, mounted } =
    to === null || typeof to === "string"
      ? { tree: to, notRead: [], mounted: [] }
      : await asItIs(storage, vault, to);
  const [differences, gaps] = await Promise.all([
    vault.diff(from, tree),
    vault.gaps(from, tree),
  ]);
  const { changes, truncated } = toldChanges(differences);
  const notCaptured = mountedAt([...new Set([...mounted, ...gaps])].sort());
  const summary = {
    changes,
    ...(notCaptured.length > 0 && { not_captured: notCaptured }),
    ...(notRead.length > 0 && { not_read: notRead.slice(0, MAX_CHANGES) }),
  };
  const isCut = truncated || notRead.length > MAX_CHANGES;
  if (!text) return { ...summary, text: null, truncated: isCut };
  const shown = await textOfChanges(vault, from, tree, differences);
  return { ...summary, text: shown.text, truncated: isCut || shown.truncated };
};

type Directory = Extract<LinkParams<"diff">["to"], { cwd: string }>;

/** Captures the workspace to compare it. The journal does not name this checkpoint, so the next garbage collection may remove it. */
const asItIs = async (
  storage: CheckpointStorage,
  vault: Vault,
  { cwd, env }: Directory,
): Promise<{ tree: string; notRead: string[]; mounted: string[] }> => {
  const workspace = await workspaceAt(storage.home, cwd, env ?? process.env);
  const { tree, unstable, unreadable, left_out } = await storage.locks.hold(
    workspace.root,
    () => vault.save({ ...workspace, signal: storage.closing }),
  );
  const mounted = left_out
    .filter(({ reason }) => reason === "mounted")
    .map(({ path }) => path);
  return { tree, notRead: [...unstable, ...unreadable], mounted };
};
