import { number } from "../words/counts.ts";
import style from "./plus-minus.module.css";

/** `+54 −19`; what is zero or not known is left out. */
export const PlusMinus = ({
  added,
  removed,
}: {
  added: number | null;
  removed: number | null;
}) => {
  const hasAdded = added !== null && added > 0;
  const hasRemoved = removed !== null && removed > 0;
  if (!hasAdded && !hasRemoved) return null;
  return (
    <span className={style.counts}>
      {hasAdded && <span className={style.plus}>+{number(added)}</span>}
      {hasRemoved && <span className={style.minus}>−{number(removed)}</span>}
    </span>
  );
};
