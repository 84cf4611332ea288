import { classes } from "../../kit/classes.ts";
import { SmallTurn } from "../../line/small-turn.tsx";
import { MID } from "../../line/small-layout.ts";
import type { Axis } from "./time-axis.ts";
import type { Track, TrackMark } from "./track.ts";
import style from "./attempts.module.css";

const HEIGHT = 2 * MID;

/** The line of an attempt at its true times. Its row says the same in words. */
export const TrackDrawing = ({ track, axis }: { track: Track; axis: Axis }) => {
  const at = (ms: number): string => `${axis.place(ms) * 100}%`;
  return (
    <svg
      className={style.track}
      width="100%"
      height={HEIGHT}
      aria-hidden="true"
    >
      {axis.gaps.map(({ x, width }) => (
        <rect
          key={x}
          className={style.gap}
          x={`${x * 100}%`}
          width={`${width * 100}%`}
          height={HEIGHT}
        />
      ))}
      {track.strokes.map(({ from, to, kind }) => (
        <line
          key={from}
          className={classes(style.stroke, style[kind])}
          x1={at(from)}
          x2={at(to)}
          y1={MID}
          y2={MID}
        />
      ))}
      {track.marks.map((mark, i) => (
        // Shapes are in pixels, their places in shares of the width.
        <svg key={i} x={at(mark.at)} overflow="visible">
          <title>{mark.words}</title>
          <Shape kind={mark.kind} />
        </svg>
      ))}
    </svg>
  );
};

const Shape = ({ kind }: { kind: TrackMark["kind"] }) => {
  switch (kind) {
    case "break":
      return (
        <path
          className={style.cut}
          d={`M5 ${MID + 4.5}l3-9M9 ${MID + 4.5}l3-9`}
        />
      );
    case "back":
      return <path className={style.back} d={`M0 ${MID - 4.5}v9`} />;
    case "added":
      return (
        <path className={style.added} d={`M0 ${MID - 5}v10M-5 ${MID}h10`} />
      );
    default:
      return <SmallTurn x={0} shape={kind} memory="own" />;
  }
};
