import { useMemo } from "react";
import type { Session } from "../../../../src/contract/session/session.ts";
import { useDiff } from "../../diff/diffs.tsx";
import type { DiffFile } from "../../diff/parse.ts";
import { useLoaded } from "../../kit/use-loaded.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { type ChangeMarks, marksOf, NO_MARKS } from "./marks.ts";

export interface ChangesSince {
  since: number | null;
  marks: ChangeMarks;
  /** Null where the text of its changes is not there, or not yet. */
  fileOf: (path: string) => DiffFile | null;
  /** Whether the texts were read. */
  isRead: boolean;
  /** Reads the texts again; null where nothing went wrong with that. */
  again: (() => void) | null;
  refusal: string | null;
  reload: () => void;
}

/** What changed in the workspace since a turn, up to now. It is asked for again with each of `news`. */
export const useChanges = (
  session: Session,
  since: number | null,
  news: number,
  client: Pick<WorkspaceClient, "showDiff">,
): ChangesSince => {
  const { id, checkpoint, parent } = session;
  const from = String(since ?? parent?.turn ?? 0);
  const { value, refusal, reload } = useLoaded(
    checkpoint === null ? null : `${id} ${from} ${checkpoint.id}`,
    () => client.showDiff(id, { from, to: "now", text: true }),
    { version: news },
  );
  const text = value?.text ?? null;
  const request = useMemo(
    () => (text === null ? null : { kind: "unified" as const, text }),
    [text],
  );
  const { files, again } = useDiff(request);
  const marks = useMemo(
    () => (value === null ? NO_MARKS : marksOf(value.changes)),
    [value],
  );
  const byPath = useMemo(
    () => new Map(files?.map((file) => [file.path, file])),
    [files],
  );
  return {
    since,
    marks,
    fileOf: (path) => byPath.get(path) ?? null,
    isRead: value !== null && (text === null || files !== null),
    again,
    refusal,
    reload,
  };
};
