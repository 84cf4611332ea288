import { useMemo } from "react";
import { classes } from "../kit/classes.ts";
import type { SmallMark } from "./mark.ts";
import { layoutSmall, MID, type SmallPart } from "./small-layout.ts";
import { SmallTurn } from "./small-turn.tsx";
import style from "./small-line.module.css";

/** The newest marks of a session on one short line: decoration beside the words of its row. */
export const SmallLine = ({ marks }: { marks: readonly SmallMark[] }) => {
  const { width, parts } = useMemo(() => {
    const { width, parts } = layoutSmall(marks);
    // Strokes go behind: a ring or a diamond that they lead to is not crossed out.
    const isStroke = ({ kind }: SmallPart): boolean => kind === "stroke";
    return {
      width,
      parts: parts.toSorted(
        (a, b) => Number(isStroke(b)) - Number(isStroke(a)),
      ),
    };
  }, [marks]);
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
      return <SmallTurn {...part} />;
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
