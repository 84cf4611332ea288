import { number } from "../words/counts.ts";
import style from "./plus-minus.module.css";

/** `+54 −19`; what is zero or not known is left out. */
export const PlusMinus = ({
  added,
  removed,
}: {
  added: number | null;
  removed: number | null;
}) => (
  <span className={style.counts}>
    {added !== null && added > 0 && (
      <span className={style.plus}>+{number(added)}</span>
    )}
    {removed !== null && removed > 0 && (
      <span className={style.minus}>−{number(removed)}</span>
    )}
  </span>
);
