import type { ReactNode } from "react";
import { Link } from "wouter";
import { Icon } from "../../kit/icon.tsx";
import { useNow } from "../../kit/now.tsx";
import { VisuallyHidden } from "../../kit/visually-hidden.tsx";
import { pastTime } from "../../words/age.ts";
import { workspaceAddress, type WorkspaceQuery } from "../address.ts";
import { type FileMark, signs } from "../since/marks.ts";
import { parentOf } from "../tree/tree-state.ts";
import style from "./viewer.module.css";
import { legible, legibleName, MAX_PATH } from "../../words/legible.ts";

/** Which file this is, and what else can be seen of it. */
export const FileHead = ({
  session,
  path,
  query,
  mark,
  modifiedAt,
  children,
}: {
  session: string;
  path: string;
  query: WorkspaceQuery;
  mark: FileMark | null;
  modifiedAt: string | null;
  children: ReactNode;
}) => {
  const now = useNow();
  return (
    <div className={style.head}>
      <Link
        className={style.back}
        href={workspaceAddress(session, parentOf(path), { since: query.since })}
        aria-label="Back to the files"
      >
        <Icon name="left" />
      </Link>
      <h2 className={style.path} title={legible(path)}>
        <code>{legibleName(path, MAX_PATH)}</code>
        {mark !== null && (
          <span className={style[mark]}>
            <span aria-hidden="true">{signs[mark].sign}</span>
            <VisuallyHidden>{signs[mark].word}</VisuallyHidden>
          </span>
        )}
      </h2>
      {modifiedAt !== null && (
        <span className={style.aside}>
          written <time dateTime={modifiedAt}>{pastTime(modifiedAt, now)}</time>
        </span>
      )}
      {children}
    </div>
  );
};
