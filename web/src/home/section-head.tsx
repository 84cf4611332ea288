import { Kbd } from "../kit/kbd.tsx";
import type { SectionName } from "./sections.ts";
import style from "./home.module.css";

export const SectionHead = ({
  name,
  count,
}: {
  name: SectionName;
  count: number;
}) => (
  <div className={style.head}>
    <h2>{name}</h2>
    <span className={style.count}>{count}</span>
    <span className={style.hint}>
      {name === "Needs you" && (
        <>
          <Kbd>J</Kbd> <Kbd>K</Kbd> move <Kbd>Enter</Kbd> open
        </>
      )}
      {name === "Resting" && "A prompt brings an agent back."}
    </span>
  </div>
);
