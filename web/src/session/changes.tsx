import { useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Client } from "../../../src/client/client.ts";
import type { Diff } from "../../../src/contract/session/checkpoint.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { FileCard } from "../diff/file-card.tsx";
import { FileList } from "../diff/file-list.tsx";
import { readFiles } from "../diff/files.ts";
import { DiffWait, useDiff } from "../diff/diffs.tsx";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { refusalWords } from "../words/refusal-words.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import type { Mark } from "../line/mark.ts";
import { counted } from "../words/counts.ts";
import {
  askedDiff,
  changesChoices,
  changesQuery,
  changesTitle,
} from "./changes-query.ts";
import style from "./changes.module.css";

/** Beyond so many rows files are closed at first. */
const MAX_OPEN_ROWS = 3_000;

/** What turns changed in the workspace. */
export const Changes = ({
  session,
  line,
  client,
}: {
  session: Session;
  line: readonly Mark[];
  client: Pick<Client, "showDiff">;
}) => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const query = changesQuery(search);
  const { diff, refusal, retry } = useAskedDiff(session, search, client);
  const choices = changesChoices(session.id, line);
  const here = search === "" ? path : `${path}?${search}`;
  return (
    <div className={style.changes}>
      <div className={style.head}>
        <h2 className={style.title}>{changesTitle(query)}</h2>
        <select
          aria-label="Which changes"
          value={choices.some((choice) => choice.path === here) ? here : ""}
          onChange={({ target }) => navigate(target.value)}
        >
          {!choices.some((choice) => choice.path === here) && (
            <option value="">{changesTitle(query)}</option>
          )}
          {choices.map(({ path, name }) => (
            <option key={path} value={path}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {refusal !== null ? (
        <ErrorState title="The changes cannot be shown" retry={retry}>
          {refusal}
        </ErrorState>
      ) : diff === null ? (
        <LoadingState label="Comparing files" />
      ) : (
        <Files diff={diff} />
      )}
    </div>
  );
};

const Files = ({ diff }: { diff: Diff }) => {
  const cards = useRef(new Map<string, HTMLElement>());
  const text = diff.text ?? "";
  const { files: parsed, again } = useDiff(
    text === "" ? null : { kind: "unified", text },
  );
  if (text !== "" && parsed === null)
    return <DiffWait again={again} label="Reading" />;
  const files = readFiles(diff, parsed ?? []);
  if (files.length === 0)
    return <EmptyState title="Nothing changed" icon="diff" />;
  const sum = (what: "added" | "removed"): number =>
    files.reduce((sum, file) => sum + file[what], 0);
  const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
  return (
    <div className={style.split}>
      <FileList
        files={files}
        onChoose={(path) =>
          cards.current.get(path)?.scrollIntoView({ block: "start" })
        }
      />
      <div
        className={style.diffs}
        tabIndex={0}
        role="region"
        aria-label="Diffs"
      >
        <p className={style.sum}>
          {counted(files.length, "file")}{" "}
          <PlusMinus added={sum("added")} removed={sum("removed")} />
          {diff.truncated && " · there is more than is shown"}
          {(diff.not_read ?? []).length > 0 &&
            ` · ${counted(diff.not_read?.length ?? 0, "file")} could not be read`}
        </p>
        {files.map((file) => (
          <FileCard
            key={file.path}
            file={file}
            isOpenFirst={rows <= MAX_OPEN_ROWS}
            ref={(element) => {
              if (element === null) cards.current.delete(file.path);
              else cards.current.set(file.path, element);
            }}
          />
        ))}
      </div>
    </div>
  );
};

const useAskedDiff = (
  session: Session,
  search: string,
  client: Pick<Client, "showDiff">,
) => {
  const [told, setTold] = useState<{
    search: string;
    diff: Diff | null;
    refusal: string | null;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { id } = session;
  const first = session.parent?.turn ?? 0;
  useEffect(() => {
    let isCurrent = true;
    const query = askedDiff(changesQuery(search), first);
    client.showDiff(id, { ...query, text: true }).then(
      (diff) => isCurrent && setTold({ search, diff, refusal: null }),
      (error: unknown) =>
        isCurrent &&
        setTold({ search, diff: null, refusal: refusalWords(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, id, first, search, attempt]);
  const current = told?.search === search ? told : null;
  return {
    diff: current?.diff ?? null,
    refusal: current?.refusal ?? null,
    retry: () => {
      setTold(null);
      setAttempt((count) => count + 1);
    },
  };
};
