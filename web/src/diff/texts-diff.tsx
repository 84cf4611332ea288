import { Fragment } from "react";
import type { DiffFile } from "./parse.ts";
import { relativeTo } from "../words/relative-path.ts";
import { PlusMinus } from "./plus-minus.tsx";
import { DiffRows } from "./rows.tsx";
import style from "./texts-diff.module.css";
import { legibleName, MAX_PATH } from "../words/legible.ts";

/** Files in a few lines: what a tool call changed, or would change. */
export const TextsDiff = ({
  files,
  directories,
  isNamed,
}: {
  files: readonly DiffFile[];
  directories: readonly string[];
  /** Whether each file has its name above it. */
  isNamed: boolean;
}) =>
  files.map((file, at) => (
    <Fragment key={at}>
      {isNamed && (
        <div className={style.name}>
          <code>
            {legibleName(relativeTo(file.path, directories), MAX_PATH)}
          </code>
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
