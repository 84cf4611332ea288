import { useMemo } from "react";
import { useLocation } from "wouter";
import { ErrorState } from "../../kit/error-state.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import { useReadable } from "../../kit/use-readable.ts";
import { workspaceAddress } from "../address.ts";
import type { ChangesSince } from "../since/use-changes.ts";
import { type TreeRow, treeRows } from "./tree-rows.ts";
import { TreeView } from "./tree-view.tsx";
import type { Tree } from "./tree.ts";

/** The tree, and what choosing something in it does. */
export const FilesView = ({
  session,
  path,
  tree,
  changes,
}: {
  session: string;
  path: string;
  tree: Tree;
  changes: ChangesSince;
}) => {
  const [, navigate] = useLocation();
  const state = useReadable(tree);
  const { since, marks } = changes;
  const rows = useMemo(() => treeRows(state, marks), [state, marks]);
  const root = state.directories.get("");
  if (root === undefined || (root.isLoading && root.entries.length === 0))
    return <LoadingState label="Listing files" />;
  if (root.refusal !== null && root.entries.length === 0)
    return (
      <ErrorState
        title="The files cannot be listed"
        retry={() => void tree.reload()}
      >
        {root.refusal}
      </ErrorState>
    );
  const choose = (row: TreeRow): void => {
    if (row.kind === "more") return void tree.more(row.path);
    if (row.kind === "refused") return void tree.open(row.path);
    if (row.kind !== "entry") return;
    if (row.isDirectory)
      return row.isOpen ? tree.close(row.path) : void tree.open(row.path);
    const show = (): void =>
      navigate(
        workspaceAddress(session, row.path, {
          since,
          shows: row.mark === "removed" ? "changes" : "file",
        }),
      );
    if (!row.isLink) return show();
    void tree.follow(row.path).then((isDirectory) => {
      if (!isDirectory) show();
    }, show);
  };
  return (
    <TreeView
      rows={rows}
      path={path}
      onOpen={(directory) => void tree.open(directory)}
      onClose={(directory) => tree.close(directory)}
      onChoose={choose}
    />
  );
};
