import { FileCard } from "../../diff/file-card.tsx";
import { ButtonLink } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { ErrorState } from "../../kit/error-state.tsx";
import { DiffWait } from "../../diff/diffs.tsx";
import { workspaceAddress, type WorkspaceQuery } from "../address.ts";
import { sinceName } from "../since/since-choices.ts";
import type { ChangesSince } from "../since/use-changes.ts";
import { FileHead } from "./file-head.tsx";
import style from "./viewer.module.css";

/** What changed in one file since a turn. */
export const ChangesView = ({
  session,
  path,
  query,
  changes,
}: {
  session: string;
  path: string;
  query: WorkspaceQuery;
  changes: ChangesSince;
}) => {
  const mark = changes.marks.files.get(path) ?? null;
  return (
    <>
      <FileHead
        session={session}
        path={path}
        query={query}
        mark={mark}
        modifiedAt={null}
      >
        <span className={style.aside}>since {sinceName(query.since)}</span>
        {mark !== "removed" && (
          <ButtonLink
            size="small"
            kind="plain"
            href={workspaceAddress(session, path, { since: query.since })}
          >
            File
          </ButtonLink>
        )}
      </FileHead>
      <Diff path={path} changes={changes} since={query.since} />
    </>
  );
};

const Diff = ({
  path,
  changes,
  since,
}: {
  path: string;
  changes: ChangesSince;
  since: number | null;
}) => {
  if (!changes.isRead)
    return changes.refusal === null ? (
      <DiffWait again={changes.again} label="Comparing" />
    ) : (
      <ErrorState title="The changes cannot be shown" retry={changes.reload}>
        {changes.refusal}
      </ErrorState>
    );
  const mark = changes.marks.files.get(path);
  const file = changes.fileOf(path);
  if (mark === undefined)
    return (
      <EmptyState title={`No change since ${sinceName(since)}`} icon="diff" />
    );
  if (file === null)
    return (
      <EmptyState title="Its changes are not shown as text" icon="diff">
        The file is not text, or there is more than is told at once.
      </EmptyState>
    );
  return (
    <div className={style.diff}>
      <FileCard file={file} isOpenFirst />
    </div>
  );
};
