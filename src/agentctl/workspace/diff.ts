import type { Vault } from "../../checkpoint/vault.ts";
import type { LinkParams, LinkResult } from "../../contract/link.ts";
import type { Depot } from "./depot.ts";
import { workspaceAt } from "./root.ts";
import { textOfChanges } from "./text-of-changes.ts";
import { toldChanges } from "./told-changes.ts";

/** What is different between two trees, or between one and a workspace as it is. */
export const diff = async (
  depot: Depot,
  { from, to, text }: LinkParams<"diff">,
): Promise<LinkResult<"diff">> => {
  const vault = await depot.vault();
  const after =
    to === null || typeof to === "string" ? to : await asItIs(depot, vault, to);
  const differences = await vault.diff(from, after);
  const { changes, truncated } = toldChanges(differences);
  if (!text) return { changes, text: null, truncated };
  const told = await textOfChanges(vault, from, after, differences);
  return { changes, text: told.text, truncated: truncated || told.truncated };
};

type Directory = Extract<LinkParams<"diff">["to"], { cwd: string }>;

/** A workspace is captured to be looked at. Nobody is told of that checkpoint, so the next garbage collection may take it. */
const asItIs = async (
  depot: Depot,
  vault: Vault,
  { cwd, env }: Directory,
): Promise<string> => {
  const workspace = await workspaceAt(depot.home, cwd, env ?? process.env);
  const { tree } = await depot.locks.hold(workspace.root, () =>
    vault.save({ ...workspace, signal: depot.closing }),
  );
  return tree;
};
