import { useMemo } from "react";
import { FileCard } from "../../diff/file-card.tsx";
import { DiffWait, useDiff } from "../../diff/diffs.tsx";
import { ButtonLink } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { ErrorState } from "../../kit/error-state.tsx";
import { counted } from "../../words/counts.ts";
import { workspaceAddress, type WorkspaceQuery } from "../address.ts";
import { useLoaded } from "../../kit/use-loaded.ts";
import { FileHead } from "../view/file-head.tsx";
import style from "../view/viewer.module.css";
import type { WorkspaceClient } from "../workspace-client.ts";

/** Beyond so many files they are closed at first. */
const MAX_OPEN_FILES = 20;

/** What differs from the last commit, staged or not: in one file, or in all of them. */
export const GitDiffView = ({
  session,
  path,
  query,
  version,
  client,
}: {
  session: string;
  /** Empty: all of them. */
  path: string;
  query: WorkspaceQuery;
  /** Asks again when it is another one. */
  version: number;
  client: Pick<WorkspaceClient, "gitDiff">;
}) => {
  const { value, refusal, reload } = useLoaded(
    `${session} ${version} ${path}`,
    () =>
      client.gitDiff(session, {
        since: "HEAD",
        ...(path === "" ? {} : { path }),
      }),
  );
  const text = value?.text ?? null;
  const { files, again } = useDiff(
    useMemo(
      () => (text === null ? null : { kind: "unified" as const, text }),
      [text],
    ),
  );
  return (
    <>
      <FileHead
        session={session}
        path={path === "" ? "All changes since the last commit" : path}
        query={query}
        mark={null}
        modifiedAt={null}
      >
        {path !== "" && (
          <>
            <span className={style.aside}>since the last commit</span>
            <ButtonLink
              size="small"
              kind="plain"
              href={workspaceAddress(session, path, { since: query.since })}
            >
              File
            </ButtonLink>
          </>
        )}
      </FileHead>
      {refusal !== null ? (
        <ErrorState title="The diff cannot be shown" retry={reload}>
          {refusal}
        </ErrorState>
      ) : files === null ? (
        <DiffWait again={again} label="Comparing" />
      ) : files.length === 0 ? (
        <EmptyState title="Nothing differs from the last commit" icon="diff" />
      ) : (
        <div className={style.diff}>
          {path === "" && (
            <p className={style.sum}>
              {counted(files.length, "file")}
              {value?.truncated === true && ", and more than is shown"}
            </p>
          )}
          {files.map((file) => (
            <FileCard
              key={file.path}
              file={file}
              isOpenFirst={files.length <= MAX_OPEN_FILES}
            />
          ))}
        </div>
      )}
    </>
  );
};
