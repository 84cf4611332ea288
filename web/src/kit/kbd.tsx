import style from "./kbd.module.css";

/** A key of the keyboard; not shown on phones. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd className={style.kbd}>{children}</kbd>
);
