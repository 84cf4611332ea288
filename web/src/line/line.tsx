import { type ReactNode, useMemo, useState } from "react";
import { IconButton } from "../kit/icon-button.tsx";
import { classes } from "../kit/classes.ts";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import { type FoldRow, layoutLine } from "./layout.ts";
import { MarkRow } from "./mark-row.tsx";
import type { Mark, TurnMark } from "./mark.ts";
import { TurnRow } from "./turn-row.tsx";
import style from "./line.module.css";

export interface LineProps {
  marks: readonly Mark[];
  /** Turns that can be seen in the conversation. */
  inView: ReadonlySet<number>;
  /** Folded to a column of knots. */
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onTurn: (turn: number) => void;
  card: (mark: TurnMark) => ReactNode;
  preview?: LinePreview | undefined;
}

/** A line that is not the session's yet. */
export interface LinePreview {
  title: string;
  /** The turn that is gone back to. */
  target: number;
  /** The number of the next prompt; null: it is not drawn. */
  next: number | null;
}

/** The line of a session, from its start to what runs now. */
export const Line = ({
  marks,
  inView,
  isFolded,
  onFold,
  onTurn,
  card,
  preview,
}: LineProps) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => layoutLine(marks, open), [marks, open]);
  return (
    <aside
      className={classes(style.line, isFolded && style.folded)}
      aria-label={preview?.title ?? "The line of this session"}
    >
      <div className={style.head}>
        {!isFolded && <h2>{preview?.title ?? "The line"}</h2>}
        <IconButton
          icon="panel"
          label={isFolded ? "Unfold the line" : "Fold the line"}
          onClick={() => onFold(!isFolded)}
        />
      </div>
      <ol className={style.rows}>
        {rows.map((row) => {
          if (row.kind === "fold")
            return (
              <Fold
                key={row.key}
                row={row}
                isFolded={isFolded}
                onOpen={() => setOpen(new Set([...open, row.key]))}
              />
            );
          const { mark } = row;
          return mark.kind === "turn" ? (
            <TurnRow
              key={row.key}
              row={row}
              mark={mark}
              isInView={inView.has(mark.turn)}
              isTarget={preview?.target === mark.turn}
              isFolded={isFolded}
              onTurn={onTurn}
              card={card}
            />
          ) : (
            <MarkRow key={row.key} row={row} mark={mark} isFolded={isFolded} />
          );
        })}
        {preview !== undefined && preview.next !== null && (
          <NextRow turn={preview.next} isFolded={isFolded} />
        )}
      </ol>
      {!isFolded && <Legend />}
    </aside>
  );
};

const Fold = ({
  row,
  isFolded,
  onOpen,
}: {
  row: FoldRow;
  isFolded: boolean;
  onOpen: () => void;
}) => (
  <li
    className={classes(
      style.row,
      style.foldRow,
      style[row.memory],
      row.above && style.above,
      row.below && style.below,
    )}
  >
    <button
      type="button"
      className={style.turn}
      aria-label={`Show turns ${row.from} to ${row.to}`}
      onClick={onOpen}
    >
      <span className={style.knot} aria-hidden="true">
        <svg width="24" height="24" viewBox="-12 -12 24 24">
          <circle className={style.startDot} cy="-6" r="1.8" />
          <circle className={style.startDot} r="1.8" />
          <circle className={style.startDot} cy="6" r="1.8" />
        </svg>
      </span>
      {!isFolded && (
        <span className={style.words}>
          <span className={style.meta}>
            turns {row.from}–{row.to}
          </span>
        </span>
      )}
    </button>
  </li>
);

/** Where the session would go on. */
const NextRow = ({ turn, isFolded }: { turn: number; isFolded: boolean }) => (
  <li className={classes(style.row, style.above, style.next)}>
    <span className={style.knot} aria-hidden="true">
      <svg width="24" height="24" viewBox="-12 -12 24 24">
        <circle className={style.nextRing} r="4.5" />
      </svg>
    </span>
    {isFolded ? (
      <VisuallyHidden>Turn {turn}: your next prompt</VisuallyHidden>
    ) : (
      <span className={style.meta}>
        <span className={style.number}>{turn}</span> your next prompt
      </span>
    )}
  </li>
);

const Legend = () => (
  <div className={style.legend} aria-hidden="true">
    <span>
      <i className={style.own} />
      remembers
    </span>
    <span>
      <i className={style.told} />
      was told
    </span>
    <span>
      <i className={style.none} />
      unaware
    </span>
  </div>
);
