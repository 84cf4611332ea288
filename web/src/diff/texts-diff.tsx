import { Fragment } from "react";
import type { DiffFile } from "./parse.ts";
import { PlusMinus } from "./plus-minus.tsx";
import { DiffRows } from "./rows.tsx";
import style from "./texts-diff.module.css";

/** Files in a few lines: what a tool call changed, or would change. */
export const TextsDiff = ({
  files,
  cwd,
  isNamed,
}: {
  files: readonly DiffFile[];
  cwd: string;
  /** Whether each file has its name above it. */
  isNamed: boolean;
}) =>
  files.map((file, at) => (
    <Fragment key={at}>
      {isNamed && (
        <div className={style.name}>
          <code>{file.path.replace(`${cwd}/`, "")}</code>
          <PlusMinus added={file.added} removed={file.removed} />
        </div>
      )}
      {file.rows.length === 0 ? (
        <p className={style.same}>No line changed.</p>
      ) : (
        <div className={style.hunk}>
          <DiffRows file={file} isNarrow />
        </div>
      )}
    </Fragment>
  ));
