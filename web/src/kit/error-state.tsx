import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import style from "./state.module.css";

/** Something could not be shown: what happened, what to do, and a second try where one may help. */
export const ErrorState = ({
  title,
  children,
  retry,
}: {
  title: string;
  children?: ReactNode;
  retry?: () => void;
}) => (
  <section className={style.state} role="alert">
    <span className={style.bad}>
      <Icon name="alert" size={20} />
    </span>
    <h2>{title}</h2>
    {children !== undefined && <div>{children}</div>}
    {retry !== undefined && (
      <div className={style.actions}>
        <Button onClick={retry}>Try again</Button>
      </div>
    )}
  </section>
);
