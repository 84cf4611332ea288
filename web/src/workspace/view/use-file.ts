import { useEffect, useMemo } from "react";
import { useReadable } from "../../kit/use-readable.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { type FileState, OpenFile } from "./open-file.ts";

/** How often it is looked whether the file is another one by now, while the page is in sight: nothing tells what others than the agent do. */
const CHECK_MS = 15_000;

export interface UsedFile {
  state: FileState;
  more: () => void;
  /** What is shown stays until the file was read again. */
  reload: () => void;
}

/** The file at a path, for as long as somebody looks at it. */
export const useFile = (
  session: string,
  path: string,
  /** Another number when it may have changed. */
  news: number,
  client: Pick<WorkspaceClient, "readFile">,
): UsedFile => {
  const file = useMemo(
    () => new OpenFile(client, session, path),
    [client, session, path],
  );
  useEffect(() => {
    void file.load();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void file.check();
    }, CHECK_MS);
    return () => {
      clearInterval(timer);
      file.end();
    };
  }, [file]);
  useEffect(() => {
    void file.check();
  }, [file, news]);
  return {
    state: useReadable(file),
    more: () => void file.more(),
    reload: () => void file.load(),
  };
};
