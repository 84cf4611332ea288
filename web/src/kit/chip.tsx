import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import style from "./chip.module.css";

/** A word or two about something: its state, its branch. */
export const Chip = ({
  tone = "neutral",
  title,
  children,
}: {
  tone?: "neutral" | "outline" | "accent" | "amber" | "red" | "green";
  title?: string;
  children: ReactNode;
}) => (
  <span className={classes(style.chip, style[tone])} title={title}>
    {children}
  </span>
);
