import { type ReactNode, useState } from "react";
import { classes } from "../kit/classes.ts";
import { Icon } from "../kit/icon.tsx";
import style from "./fold.module.css";

/** One line that opens. What is inside is drawn only while it is open. */
export const Fold = ({
  line,
  aside,
  isOpenFirst = false,
  children,
}: {
  line: ReactNode;
  aside?: ReactNode;
  isOpenFirst?: boolean;
  /** Null: there is nothing inside. */
  children: (() => ReactNode) | null;
}) => {
  const [isOpen, setOpen] = useState(isOpenFirst);
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
        onClick={() => setOpen(!isOpen)}
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
