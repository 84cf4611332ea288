import { useMemo } from "react";
import { classes } from "../kit/classes.ts";
import type { SmallMark } from "./mark.ts";
import { layoutSmall, MID, type SmallPart } from "./small-layout.ts";
import style from "./small-line.module.css";

/** The newest marks of a session on one short line: decoration beside the words of its row. */
export const SmallLine = ({ marks }: { marks: readonly SmallMark[] }) => {
  const { width, parts } = useMemo(() => layoutSmall(marks), [marks]);
  return (
    <svg
      className={style.line}
      width={width}
      height="19"
      viewBox={`0 0 ${width} 19`}
      aria-hidden="true"
    >
      {parts.map((part, i) => (
        <Part key={i} part={part} />
      ))}
    </svg>
  );
};

const Part = ({ part }: { part: SmallPart }) => {
  switch (part.kind) {
    case "stroke":
      return (
        <line
          className={classes(style.stroke, style[part.memory])}
          x1={part.from}
          x2={part.to}
          y1={MID}
          y2={MID}
        />
      );
    case "turn":
      return <Turn {...part} />;
    case "break":
      return (
        <>
          <path
            className={style.cut}
            d={`M${part.x - 4} ${MID + 4.5}l3-9M${part.x} ${MID + 4.5}l3-9`}
          />
          {part.returns && (
            <path className={style.cap} d={`M${part.x + 7} ${MID - 4}v8`} />
          )}
        </>
      );
    case "tick":
    case "handed_off":
      return (
        <path
          className={classes(style.tick, style[part.memory])}
          d={`M${part.x} 4.5v9`}
        />
      );
    case "rest":
    case "ended":
      return (
        <path
          className={classes(style.tick, style[part.memory])}
          d={`M${part.x - 1.5} 4.5v9m3-9v9`}
        />
      );
    case "branch":
      return (
        <>
          <path
            className={style.branch}
            d={`M${part.x - 8} ${MID}q3 5.5 7 5.5h6`}
          />
          <circle className={style.pale} cx={part.x + 2} cy="14.5" r="1.6" />
          <circle className={style.pale} cx={part.x + 7} cy="14.5" r="1.6" />
        </>
      );
  }
};

const Turn = ({ x, shape, memory }: Extract<SmallPart, { kind: "turn" }>) => {
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
