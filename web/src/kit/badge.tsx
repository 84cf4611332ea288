import { VisuallyHidden } from "./visually-hidden.tsx";
import style from "./badge.module.css";

/** How many need somebody. Nothing is drawn for none. */
export const Badge = ({ count, label }: { count: number; label: string }) =>
  count === 0 ? null : (
    <span className={style.badge} title={label}>
      <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
