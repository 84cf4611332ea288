import type { ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "./classes.ts";
import style from "./tabs.module.css";

export interface Tab {
  href: string;
  name: string;
  isCurrent: boolean;
}

/** Places that belong together, each with an address of its own: links, so that the browser's ways to open them work. */
export const Tabs = ({
  label,
  tabs,
  children,
}: {
  label: string;
  tabs: readonly Tab[];
  children?: ReactNode;
}) => (
  <nav className={style.tabs} aria-label={label}>
    {tabs.map(({ href, name, isCurrent }) => (
      <Link
        key={href}
        href={href}
        className={classes(style.tab, isCurrent && style.current)}
        {...(isCurrent ? { "aria-current": "page" as const } : {})}
      >
        {name}
      </Link>
    ))}
    {children}
  </nav>
);
