import { type ReactNode, useEffect, useRef } from "react";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-paths.ts";
import style from "./offers.module.css";

/** Paths that a field can take. The focus stays in the field, which names the chosen one: `id-index`. */
export const Offers = ({
  id,
  label,
  icon,
  paths,
  chosen,
  className,
  onChoose,
  onTake,
  children,
}: {
  id: string;
  label: string;
  icon: IconName;
  paths: readonly string[];
  /** An index; null where none is chosen. */
  chosen: number | null;
  className?: string | undefined;
  onChoose: (index: number) => void;
  onTake: (index: number) => void;
  /** What is shown of one. */
  children: (path: string, index: number) => ReactNode;
}) => {
  const list = useRef<HTMLDivElement>(null);
  const shown = paths.join("\n");
  useEffect(() => {
    list.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ block: "nearest" });
  }, [chosen, shown]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className={classes(style.offers, className)}
      hidden={paths.length === 0}
    >
      {paths.map((path, i) => (
        <div
          key={path}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === chosen}
          className={style.offer}
          onPointerMove={() => onChoose(i)}
          // The field keeps the focus. A finger that scrolls the list takes nothing.
          onPointerDown={(event) => event.preventDefault()}
          onPointerUp={() => onTake(i)}
        >
          <Icon name={icon} size={14} />
          {children(path, i)}
        </div>
      ))}
    </div>
  );
};
