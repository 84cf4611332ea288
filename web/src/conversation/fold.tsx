import type { ReactNode } from "react";
import { classes } from "../kit/classes.ts";
import { Icon } from "../kit/icon.tsx";
import { useFold } from "./folds.ts";
import style from "./fold.module.css";

/** One line that opens. What is inside is drawn only while it is open. */
export const Fold = ({
  id,
  line,
  aside,
  isOpenFirst = false,
  children,
}: {
  /** Of this fold, among all of the conversation. */
  id: string;
  line: ReactNode;
  aside?: ReactNode;
  isOpenFirst?: boolean;
  /** Null: there is nothing inside. */
  children: (() => ReactNode) | null;
}) => {
  const [isOpen, turn] = useFold(id, isOpenFirst);
  if (children === null)
    return (
      <div className={style.line}>
        {line}
        <span className={style.aside}>{aside}</span>
      </div>
    );
  return (
    <>
      <button
        type="button"
        className={classes(style.line, style.button)}
        aria-expanded={isOpen}
        onClick={turn}
      >
        {line}
        <span className={style.aside}>
          {aside}
          <span className={style.arrow} data-open={isOpen || undefined}>
            <Icon name="right" size={14} />
          </span>
        </span>
      </button>
      {isOpen && <div className={style.inside}>{children()}</div>}
    </>
  );
};
