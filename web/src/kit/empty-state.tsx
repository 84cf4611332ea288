import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";
import style from "./state.module.css";

/** Where there is nothing: what it is, and the one thing to do. */
export const EmptyState = ({
  title,
  icon,
  children,
  actions,
}: {
  title: string;
  icon?: IconName;
  children?: ReactNode;
  actions?: ReactNode;
}) => (
  <section className={style.state}>
    {icon !== undefined && (
      <span className={style.mark}>
        <Icon name={icon} size={20} />
      </span>
    )}
    <h2>{title}</h2>
    {children !== undefined && <div>{children}</div>}
    {actions !== undefined && <div className={style.actions}>{actions}</div>}
  </section>
);
