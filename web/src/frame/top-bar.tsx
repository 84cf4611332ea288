import type { ReactNode } from "react";
import { usePageTitle } from "./page-title.tsx";
import style from "./top-bar.module.css";

/** The head of a screen: its name, which is the title of the page too, and what can be done there. */
export const TopBar = ({
  title,
  children,
}: {
  title: string;
  children?: ReactNode;
}) => {
  usePageTitle(title);
  return (
    <header className={style.bar}>
      <h1>{title}</h1>
      {children !== undefined && (
        <div className={style.actions}>{children}</div>
      )}
    </header>
  );
};
