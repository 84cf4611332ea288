import type { Vault } from "../../../checkpoint/vault.ts";
import type { LinkParams, LinkResult } from "../../../contract/link.ts";
import type { Depot } from "../../vault/depot.ts";
import { workspaceAt } from "../capture/root.ts";
import { textOfChanges } from "./text-of-changes.ts";
import { MOST_CHANGES, mountedAt, toldChanges } from "./told-changes.ts";

/** What is different between two trees, or between one and a workspace as it is. */
export const diff = async (
  depot: Depot,
  { from, to, text }: LinkParams<"diff">,
): Promise<LinkResult<"diff">> => {
  const vault = await depot.vault();
  const { tree, notRead, mounted } =
    to === null || typeof to === "string"
      ? { tree: to, notRead: [], mounted: [] }
      : await asItIs(depot, vault, to);
  const [differences, gaps] = await Promise.all([
    vault.diff(from, tree),
    vault.gaps(from, tree),
  ]);
  const { changes, truncated } = toldChanges(differences);
  const notCaptured = mountedAt([...new Set([...mounted, ...gaps])].sort());
  const told = {
    changes,
    ...(notCaptured.length > 0 && { not_captured: notCaptured }),
    ...(notRead.length > 0 && { not_read: notRead.slice(0, MOST_CHANGES) }),
  };
  const isCut = truncated || notRead.length > MOST_CHANGES;
  if (!text) return { ...told, text: null, truncated: isCut };
  const shown = await textOfChanges(vault, from, tree, differences);
  return { ...told, text: shown.text, truncated: isCut || shown.truncated };
};

type Directory = Extract<LinkParams<"diff">["to"], { cwd: string }>;

/** A workspace is captured to be looked at. Nobody is told of that checkpoint, so the next garbage collection may take it. */
const asItIs = async (
  depot: Depot,
  vault: Vault,
  { cwd, env }: Directory,
): Promise<{ tree: string; notRead: string[]; mounted: string[] }> => {
  const workspace = await workspaceAt(depot.home, cwd, env ?? process.env);
  const { tree, unstable, unreadable, left_out } = await depot.locks.hold(
    workspace.root,
    () => vault.save({ ...workspace, signal: depot.closing }),
  );
  const mounted = left_out
    .filter(({ reason }) => reason === "mounted")
    .map(({ path }) => path);
  return { tree, notRead: [...unstable, ...unreadable], mounted };
};
