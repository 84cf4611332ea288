import type { ReactNode } from "react";
import style from "./visually-hidden.module.css";

/** Said by a screen reader, not seen. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => (
  <span className={style.hidden}>{children}</span>
);
