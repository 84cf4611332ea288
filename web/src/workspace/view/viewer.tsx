import { Button, ButtonLink } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { ErrorState } from "../../kit/error-state.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import { bytes } from "../../words/counts.ts";
import { workspaceAddress, type WorkspaceQuery } from "../address.ts";
import { changedLines } from "../since/marks.ts";
import { sinceName } from "../since/since-choices.ts";
import type { ChangesSince } from "../since/use-changes.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { Download } from "./download.tsx";
import { FileHead } from "./file-head.tsx";
import { ImageView } from "./image-view.tsx";
import type { FileState, ShownFile } from "./open-file.ts";
import { TextView } from "./text-view.tsx";
import { useFile } from "./use-file.ts";
import style from "./viewer.module.css";

/** A file of the workspace as it is now. */
export const Viewer = ({
  session,
  path,
  query,
  changes,
  news,
  client,
}: {
  session: string;
  path: string;
  query: WorkspaceQuery;
  changes: ChangesSince;
  /** Another number when files may have changed. */
  news: number;
  client: WorkspaceClient;
}) => {
  const { state, more, reload } = useFile(session, path, news, client);
  const mark = changes.marks.files.get(path) ?? null;
  const file = state.kind === "shown" ? state.file : null;
  return (
    <>
      <FileHead
        session={session}
        path={path}
        query={query}
        mark={mark}
        modifiedAt={file?.modifiedAt ?? null}
      >
        {file !== null && (
          <Download
            session={session}
            path={path}
            size={file.size}
            client={client}
          />
        )}
        {mark !== null && (
          <ButtonLink
            size="small"
            kind="plain"
            href={workspaceAddress(session, path, {
              since: query.since,
              shows: "changes",
            })}
          >
            {`Diff since ${sinceName(query.since)}`}
          </ButtonLink>
        )}
      </FileHead>
      <Stale state={state} onReload={reload} />
      <Content
        state={state}
        path={path}
        line={query.line}
        changed={changedLines(changes.fileOf(path))}
        onReload={reload}
      />
      <Rest state={state} onMore={more} />
    </>
  );
};

const Stale = ({
  state,
  onReload,
}: {
  state: FileState;
  onReload: () => void;
}) => {
  if (state.kind !== "shown" || state.stale === null) return null;
  return (
    <div className={style.stale} role="status">
      <span>
        {state.stale === "gone"
          ? "This file is not there any more. What you see is what it was."
          : "This file has changed since it was read."}
      </span>
      {state.stale === "changed" && (
        <Button size="small" onClick={onReload}>
          Reload
        </Button>
      )}
    </div>
  );
};

const Content = ({
  state,
  path,
  line,
  changed,
  onReload,
}: {
  state: FileState;
  path: string;
  line: number | null;
  changed: ReadonlySet<number>;
  onReload: () => void;
}) => {
  switch (state.kind) {
    case "loading":
      return <LoadingState label="Reading the file" />;
    case "refused":
      return state.isMissing ? (
        <EmptyState title="There is no such file" icon="file">
          {state.text}
        </EmptyState>
      ) : (
        <ErrorState title="The file cannot be shown" retry={onReload}>
          {state.text}
        </ErrorState>
      );
    case "shown":
      return (
        <Shown file={state.file} path={path} line={line} changed={changed} />
      );
  }
};

const Shown = ({
  file,
  path,
  line,
  changed,
}: {
  file: ShownFile;
  path: string;
  line: number | null;
  changed: ReadonlySet<number>;
}) => {
  const { content } = file;
  switch (content.kind) {
    case "empty":
      return <EmptyState title="The file is empty" icon="file" />;
    case "text":
      return (
        <TextView
          path={path}
          text={content.text}
          line={line}
          changed={changed}
        />
      );
    case "image":
      return <ImageView name={path} bytes={file.bytes} type={content.type} />;
    case "binary":
      return (
        <EmptyState title="A binary file" icon="file">
          {bytes(file.size)}. It is not shown as text.
        </EmptyState>
      );
  }
};

/** Of a long text only the beginning was read. */
const Rest = ({ state, onMore }: { state: FileState; onMore: () => void }) => {
  if (state.kind !== "shown" || state.file.content.kind !== "text") return null;
  const { size, bytes: read } = state.file;
  if (read.length >= size) return null;
  return (
    <div className={style.rest}>
      <span>
        {bytes(read.length)} of {bytes(size)}
      </span>
      <Button
        size="small"
        disabled={state.isLoadingMore || state.stale !== null}
        onClick={onMore}
      >
        Show more
      </Button>
      {state.refusal !== null && <span role="alert">{state.refusal}</span>}
    </div>
  );
};
