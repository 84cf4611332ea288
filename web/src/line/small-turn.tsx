import { classes } from "../kit/classes.ts";
import type { Memory } from "./layout.ts";
import type { TurnShape } from "./shape.ts";
import { MID } from "./small-layout.ts";
import style from "./small-line.module.css";

/** A turn on a short line. */
export const SmallTurn = ({
  x,
  shape,
  memory,
}: {
  x: number;
  shape: TurnShape;
  memory: Memory;
}) => {
  const ink = classes(style.dot, style[memory]);
  switch (shape) {
    case "dot":
      return <circle className={ink} cx={x} cy={MID} r="3.4" />;
    case "small_dot":
      return <circle className={ink} cx={x} cy={MID} r="2" />;
    case "running":
      return (
        <>
          <circle className={style.halo} cx={x} cy={MID} r="6" />
          <circle className={ink} cx={x} cy={MID} r="3.4" />
        </>
      );
    case "asks":
      return (
        <rect
          className={style.asks}
          x={x - 3.4}
          y={MID - 3.4}
          width="6.8"
          height="6.8"
          rx="1.2"
          transform={`rotate(45 ${x} ${MID})`}
        />
      );
    case "cut":
      return (
        <>
          <path className={ink} d={`M${x} ${MID - 3.4}a3.4 3.4 0 0 0 0 6.8z`} />
          <path className={style.edge} d={`M${x + 0.7} ${MID - 4}v8`} />
        </>
      );
    case "uncertain":
      return <circle className={style.uncertain} cx={x} cy={MID} r="3.2" />;
    case "cross":
      return (
        <path
          className={style.cross}
          d={`M${x - 2.6} ${MID - 2.6}l5.2 5.2m0-5.2-5.2 5.2`}
        />
      );
    case "not_captured":
      return (
        <rect
          className={style.missing}
          x={x - 2.8}
          y={MID - 2.8}
          width="5.6"
          height="5.6"
        />
      );
  }
};
