import { useEffect, useState } from "react";
import { Tree } from "./tree/tree.ts";
import type { WorkspaceClient } from "./workspace-client.ts";

/** Whether a path is that of a directory; null until somebody has looked. */
export interface UsedTree {
  tree: Tree;
  isDirectory: boolean | null;
}

/** The tree of a session, opened down to a path. It is listed again when `version` is another one. */
export const useTree = (
  session: string,
  path: string,
  version: string,
  client: Pick<WorkspaceClient, "listFiles">,
): UsedTree => {
  const [tree] = useState(() => new Tree(client, session));
  const [found, setFound] = useState<{
    path: string;
    isDirectory: boolean;
  } | null>(null);
  const [listed, setListed] = useState(version);
  useEffect(() => () => tree.end(), [tree]);
  useEffect(() => {
    let isCurrent = true;
    void tree.reveal(path).then((isDirectory) => {
      if (isCurrent) setFound({ path, isDirectory });
    });
    return () => {
      isCurrent = false;
    };
  }, [tree, path]);
  useEffect(() => {
    if (version === listed) return;
    setListed(version);
    void tree.reload();
  }, [tree, version, listed]);
  if (path === "") return { tree, isDirectory: true };
  return { tree, isDirectory: found?.path === path ? found.isDirectory : null };
};
