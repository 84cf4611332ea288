import { classes } from "../kit/classes.ts";
import type { Memory } from "./layout.ts";
import type { TurnShape } from "./shape.ts";
import style from "./knot.module.css";

/** A turn on the line. Its row says the rest in words. */
export const Knot = ({
  shape,
  memory,
  small = false,
}: {
  shape: TurnShape;
  memory: Memory;
  /** In a lane that was left behind. */
  small?: boolean;
}) => (
  <svg
    className={classes(style.knot, style[memory], small && style.small)}
    width="24"
    height="24"
    viewBox="-12 -12 24 24"
    aria-hidden="true"
  >
    <KnotShape shape={shape} />
  </svg>
);

const KnotShape = ({ shape }: { shape: TurnShape }) => {
  switch (shape) {
    case "dot":
      return <circle className={style.dot} r="5.5" />;
    case "small_dot":
      return <circle className={style.dot} r="3.5" />;
    case "running":
      return (
        <>
          <circle className={style.halo} r="10" />
          <circle className={style.dot} r="5.5" />
        </>
      );
    case "asks":
      return (
        <>
          <rect
            className={classes(style.halo, style.amber)}
            x="-9"
            y="-9"
            width="18"
            height="18"
            rx="3"
            transform="rotate(45) scale(.9)"
          />
          <rect
            className={style.asks}
            x="-5"
            y="-5"
            width="10"
            height="10"
            rx="2"
            transform="rotate(45)"
          />
        </>
      );
    case "cut":
      return (
        <>
          <path className={style.dot} d="M-5.5 0a5.5 5.5 0 0 1 11 0z" />
          <path className={style.bar} d="M-7.5 1h15" />
        </>
      );
    case "uncertain":
      return <circle className={style.uncertain} r="5" />;
    case "cross":
      return <path className={style.cross} d="M-4-4 4 4M4-4-4 4" />;
    case "not_captured":
      return (
        <rect
          className={style.missing}
          x="-4.5"
          y="-4.5"
          width="9"
          height="9"
        />
      );
  }
};
