import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link } from "wouter";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";
import style from "./button.module.css";

interface Look {
  /** `plain` has no border; `danger` says that something ends or is lost. */
  kind?: "default" | "primary" | "plain" | "danger";
  size?: "default" | "small";
  icon?: IconName;
  children: ReactNode;
  className?: string | undefined;
}

export type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof Look> & {
    ref?: Ref<HTMLButtonElement>;
  };

export const Button = ({
  kind,
  size,
  icon,
  children,
  className,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    data-kind={kind}
    {...rest}
    className={classes(lookOf({ kind, size }), className)}
  >
    {icon !== undefined && <Icon name={icon} size={14} />}
    {children}
  </button>
);

/** An address that looks like a button. */
export const ButtonLink = ({
  kind,
  size,
  icon,
  children,
  className,
  href,
  title,
}: Look & { href: string; title?: string }) => (
  <Link
    href={href}
    title={title}
    className={classes(lookOf({ kind, size }), className)}
  >
    {icon !== undefined && <Icon name={icon} size={14} />}
    {children}
  </Link>
);

const lookOf = ({
  kind = "default",
  size = "default",
}: {
  kind?: Look["kind"] | undefined;
  size?: Look["size"] | undefined;
}): string =>
  classes(
    style.button,
    kind !== "default" && style[kind],
    size === "small" && style.small,
  );
