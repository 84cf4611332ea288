import { classes } from "../kit/classes.ts";
import { useNow } from "../kit/now.tsx";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import { markMeta, markSentence } from "../words/mark-words.ts";
import type { MarkRow as Row } from "./layout.ts";
import type { Mark, TurnMark } from "./mark.ts";
import style from "./line.module.css";

/** A mark that is no turn: where the agent died, rested, was found again, was handed on, or the session ended. */
export const MarkRow = ({
  row,
  mark,
  isFolded,
}: {
  row: Row;
  mark: Exclude<Mark, TurnMark>;
  isFolded: boolean;
}) => {
  const now = useNow();
  return (
    <li
      className={classes(
        style.row,
        style.point,
        style[mark.kind === "handed_off" ? "handedOff" : mark.kind],
        style[row.memory],
        row.above && style.above,
        row.below && style.below,
        row.lane === "behind" && style.behind,
      )}
    >
      <VisuallyHidden>{markSentence(mark)}</VisuallyHidden>
      <span className={style.knot} aria-hidden="true">
        <PointShape mark={mark} />
      </span>
      {!isFolded && (
        <span className={style.words} aria-hidden="true">
          {markMeta(mark, now).map((line, i) => (
            <span key={i} className={style.meta}>
              {line.map(({ text, tone }) => (
                <span key={text} className={style[tone]}>
                  {text}
                </span>
              ))}
            </span>
          ))}
        </span>
      )}
    </li>
  );
};

const PointShape = ({ mark }: { mark: Exclude<Mark, TurnMark> }) => {
  switch (mark.kind) {
    case "start":
      return (
        <svg width="24" height="24" viewBox="-12 -12 24 24">
          <circle className={style.startDot} r="3.5" />
        </svg>
      );
    case "break":
      return <BreakShape returns={mark.resume !== null} />;
    case "tick":
    case "handed_off":
      return (
        <svg width="24" height="24" viewBox="-12 -12 24 24">
          <path className={style.stroke} d="M-6.5 0h13" />
        </svg>
      );
    case "rest":
      return (
        <svg width="24" height="24" viewBox="-12 -12 24 24">
          <path className={style.stroke} d="M-6.5-2.5h13M-6.5 2.5h13" />
        </svg>
      );
    case "rewound":
      return (
        <svg width="24" height="24" viewBox="-12 -12 24 24">
          <path className={style.arrow} d="M2 0 8-4v8z" />
          <path
            className={style.arrowStroke}
            d="M8 0h4a6.5 6.5 0 0 0 6.5-6.5V-20"
          />
        </svg>
      );
    case "ended":
      return (
        <svg width="24" height="24" viewBox="-12 -12 24 24">
          <path className={style.stroke} d="M-6.5 0h13" />
          <path className={style.heavy} d="M-6.5 4h13" />
        </svg>
      );
  }
};

/** The stroke ends; two slanted strokes; and a repeat sign where it goes on. */
const BreakShape = ({ returns }: { returns: boolean }) => (
  <svg width="24" height="50" viewBox="-3 0 24 50">
    <path className={style.cut} d="M3.4 14 7.6 3M9.4 14 13.6 3" />
    {returns && (
      <>
        <path className={style.stroke} d="M9 33v17" />
        <path className={style.heavy} d="M2 27.5h14" />
        <path className={style.thin} d="M2 32h14" />
        <circle className={style.startDot} cx="4.8" cy="37.6" r="1.7" />
        <circle className={style.startDot} cx="13.2" cy="37.6" r="1.7" />
      </>
    )}
  </svg>
);
