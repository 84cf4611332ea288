import { byDirectory } from "./files.ts";
import type { DiffFile } from "./parse.ts";
import { PlusMinus } from "./plus-minus.tsx";
import style from "./file-list.module.css";
import { legibleName } from "../words/legible.ts";

const letters = { added: "A", removed: "D", modified: "M" } as const;
const words = {
  added: "added",
  removed: "deleted",
  modified: "changed",
} as const;

/** The changed files, by directory. */
export const FileList = ({
  files,
  onChoose,
}: {
  files: readonly DiffFile[];
  onChoose: (path: string) => void;
}) => (
  <nav className={style.files} aria-label="Changed files">
    {byDirectory(files).map(({ directory, files }) => (
      <section key={directory}>
        {directory !== "" && <h3 className={style.directory}>{directory}</h3>}
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <button type="button" onClick={() => onChoose(file.path)}>
                <span
                  className={style.kind}
                  data-kind={file.kind}
                  title={words[file.kind]}
                >
                  {letters[file.kind]}
                </span>
                <span className={style.name}>
                  {legibleName(file.path.slice(file.path.lastIndexOf("/") + 1))}
                </span>
                <PlusMinus added={file.added} removed={file.removed} />
              </button>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </nav>
);
