import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import { Icon } from "../kit/icon.tsx";
import { classes } from "../kit/classes.ts";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { sessionPath } from "../routes.ts";
import { counted } from "../words/counts.ts";
import { markSentence, turnMeta } from "../words/mark-words.ts";
import { legible } from "../words/legible.ts";
import { Knot } from "./knot.tsx";
import type { MarkRow } from "./layout.ts";
import type { TurnMark } from "./mark.ts";
import { shapeOfTurn } from "./shape.ts";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import style from "./line.module.css";

export interface TurnRowProps {
  row: MarkRow;
  mark: TurnMark;
  isInView: boolean;
  /** It is gone back to. */
  isTarget?: boolean;
  isFolded: boolean;
  onTurn: (turn: number) => void;
  /** The card of the turn; it stands beside the row while the pointer or the focus is there. */
  card: (mark: TurnMark) => ReactNode;
}

/** How long a pointer rests on a row until its card opens. */
const REST_MS = 180;

export const TurnRow = ({
  row,
  mark,
  isInView,
  isTarget = false,
  isFolded,
  onTurn,
  card,
}: TurnRowProps) => {
  const item = useRef<HTMLLIElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(
    null,
  );
  const open = (): void => {
    const box = item.current?.getBoundingClientRect();
    if (box !== undefined) setPlace({ left: box.right, top: box.top });
  };
  const close = (): void => {
    clearTimeout(timer.current);
    setPlace(null);
  };
  return (
    // Pointer and focus inside of the row open its card; nothing of it needs the row itself.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      ref={item}
      className={classes(
        style.row,
        style[row.memory],
        row.above && style.above,
        row.below && style.below,
        row.lane === "behind" && style.behind,
        row.branches && style.branches,
        (isInView || isTarget) && style.inView,
        isTarget && style.target,
      )}
      onPointerEnter={(event) => {
        if (event.pointerType === "mouse")
          timer.current = setTimeout(open, REST_MS);
      }}
      onPointerLeave={close}
      onFocus={open}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") close();
      }}
    >
      <button
        type="button"
        className={style.turn}
        aria-expanded={place !== null}
        onClick={() => onTurn(mark.turn)}
      >
        <span className={style.knot}>
          <Knot
            shape={shapeOfTurn(mark)}
            memory={row.lane === "behind" ? "none" : mark.memory}
            small={row.lane === "behind"}
          />
        </span>
        <VisuallyHidden>{markSentence(mark)}</VisuallyHidden>
        {!isFolded && (
          <span className={style.seen} aria-hidden="true">
            <TurnWords mark={mark} />
          </span>
        )}
      </button>
      {!isFolded &&
        mark.forks.map((fork) => (
          <Link
            key={fork}
            href={sessionPath(fork)}
            className={style.fork}
            aria-label={`A session that was forked from turn ${mark.turn}`}
            title="Forked"
          >
            <Icon name="fork" size={14} />
          </Link>
        ))}
      {place !== null && (
        <div className={style.card} style={place}>
          {card(mark)}
        </div>
      )}
    </li>
  );
};

const TurnWords = ({ mark }: { mark: TurnMark }) => (
  <span className={style.words}>
    <span className={style.title}>
      <span className={style.number}>{mark.turn}</span>
      <span className={style.prompt}>{legible(mark.prompt)}</span>
    </span>
    {!mark.behind && (
      <span className={style.meta}>
        {turnMeta(mark).map(({ text, tone }) => (
          <span key={text} className={style[tone]}>
            {text}
          </span>
        ))}
        <ChangeCounts changes={mark.changes} />
      </span>
    )}
  </span>
);

const ChangeCounts = ({ changes }: { changes: TurnMark["changes"] }) => {
  if (changes === null) return null;
  if (changes.files === 0) return <span>no change</span>;
  return (
    <span>
      {counted(changes.files, "file")} <PlusMinus {...changes} />
    </span>
  );
};
