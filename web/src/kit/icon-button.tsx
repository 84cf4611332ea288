import type { ButtonHTMLAttributes, Ref } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";
import style from "./icon-button.module.css";

/** A button that is an icon. `label` is its name, and what the pointer is told. */
export const IconButton = ({
  icon,
  label,
  bordered = false,
  className,
  ...rest
}: {
  icon: IconName;
  label: string;
  bordered?: boolean;
  ref?: Ref<HTMLButtonElement>;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children">) => (
  <button
    type="button"
    title={label}
    {...rest}
    aria-label={label}
    className={classes(style.button, bordered && style.bordered, className)}
  >
    <Icon name={icon} />
  </button>
);
