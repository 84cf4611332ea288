import { duration } from "../../words/age.ts";
import { type Axis, tickWords } from "./time-axis.ts";
import style from "./attempts.module.css";

/** The axis of time above the attempts. The rows say the same in words. */
export const AxisRow = ({ axis }: { axis: Axis }) => (
  <div className={style.axis} aria-hidden="true">
    <svg className={style.scale} width="100%" height="24">
      {axis.gaps.map(({ x, width, ms }) => (
        <text
          key={x}
          className={style.pause}
          x={`${(x + width / 2) * 100}%`}
          y="16"
          textAnchor="middle"
        >
          <title>{duration(ms)} later</title>⋯
        </text>
      ))}
      {axis.ticks.map(({ x, at }) => (
        <text
          key={at}
          className={style.tick}
          x={`${x * 100}%`}
          y="16"
          textAnchor={x > 0.9 ? "end" : "start"}
        >
          {tickWords(at, axis)}
        </text>
      ))}
    </svg>
  </div>
);
