import { useRef } from "react";
import { Virtualizer } from "virtua";
import { useColours } from "../code/code-block.tsx";
import { languageOfPath, type CodeToken } from "../code/tokens.ts";
import { Tokens } from "../code/tokens-line.tsx";
import type { DiffFile, DiffRow } from "./parse.ts";
import style from "./rows.module.css";

/** Up to so many rows are drawn at once; of more only those in sight. */
const MAX_DRAWN = 300;

/** The rows of one file: no landmark, since the same file may be shown more than once. */
export const DiffRows = ({
  file,
  isNarrow = false,
}: {
  file: DiffFile;
  /** With one column of numbers. */
  isNarrow?: boolean;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const isLong = file.rows.length > MAX_DRAWN;
  const lines = useColours(
    isLong ? "" : file.rows.map(({ text }) => text).join("\n"),
    languageOfPath(file.path),
    isLong,
  );
  const row = (row: DiffRow, at: number) => (
    <Row key={at} row={row} tokens={lines?.[at] ?? null} />
  );
  return (
    <div
      ref={scroller}
      className={style.rows}
      data-long={isLong || undefined}
      data-narrow={isNarrow || undefined}
      tabIndex={0}
      role="group"
      aria-label={`Changes in ${file.path}`}
    >
      {isLong ? (
        <Virtualizer scrollRef={scroller} data={file.rows} itemSize={21}>
          {row}
        </Virtualizer>
      ) : (
        <div className={style.table}>{file.rows.map(row)}</div>
      )}
    </div>
  );
};

const signs = { added: "+", removed: "-", same: "", gap: "", note: "" };

const Row = ({
  row,
  tokens,
}: {
  row: DiffRow;
  tokens: readonly CodeToken[] | null;
}) => {
  if (row.kind === "gap" || row.kind === "note")
    return (
      <div className={style.row} data-kind={row.kind}>
        <span className={style.aside}>{row.text || "…"}</span>
      </div>
    );
  return (
    <div className={style.row} data-kind={row.kind}>
      <span className={style.number}>{row.old ?? ""}</span>
      <span className={style.number}>{row.now ?? ""}</span>
      <span className={style.sign}>{signs[row.kind]}</span>
      <span className={style.text}>
        {row.pieces !== undefined ? (
          row.pieces.map(({ text, changed }, at) =>
            changed ? <mark key={at}>{text}</mark> : text,
          )
        ) : tokens !== null ? (
          <Tokens line={tokens} />
        ) : (
          row.text.slice(0, 4_000)
        )}
      </span>
    </div>
  );
};
