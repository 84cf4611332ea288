import { useRef } from "react";
import { classes } from "../../kit/classes.ts";
import { neighbourTab } from "./tab-keys.ts";
import style from "./tab-list.module.css";

export interface ListedTab {
  id: string;
  name: string;
  /** A number behind the name; null where nobody has counted. */
  count: number | null;
}

/** Tabs that change what stands below them, not the address. One stop of the keyboard; arrows move between them. */
export const TabList = ({
  id,
  label,
  tabs,
  chosen,
  onChoose,
}: {
  /** The panel below has `${id}-content`, and is named by `${id}-${tab}`. */
  id: string;
  label: string;
  tabs: readonly ListedTab[];
  /** Null: none is in sight. */
  chosen: string | null;
  onChoose: (tab: string) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className={style.tabs}
      tabIndex={-1}
      onKeyDown={(event) => {
        const next = neighbourTab(
          tabs.map((tab) => tab.id),
          chosen ?? "",
          event.key,
        );
        if (next === null) return;
        event.preventDefault();
        onChoose(next);
        list.current
          ?.querySelector<HTMLElement>(`[data-tab="${next}"]`)
          ?.focus();
      }}
    >
      {tabs.map((tab, at) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${id}-${tab.id}`}
          data-tab={tab.id}
          className={classes(style.tab, tab.id === chosen && style.current)}
          aria-selected={tab.id === chosen}
          aria-controls={`${id}-content`}
          tabIndex={tab.id === chosen || (chosen === null && at === 0) ? 0 : -1}
          onClick={() => onChoose(tab.id)}
        >
          {tab.name}
          {tab.count !== null && (
            <span className={style.count}>{tab.count}</span>
          )}
        </button>
      ))}
    </div>
  );
};
