import { type ReactNode, useId, useRef, useState } from "react";
import { IconButton } from "../../kit/icon-button.tsx";
import { classes } from "../../kit/classes.ts";
import { neighbourTab } from "./tab-keys.ts";
import style from "./panel.module.css";

export interface PanelTab {
  id: string;
  name: string;
  /** A number behind the name; null where nobody has counted. */
  count: number | null;
  /** Drawn while its tab is chosen and the panel is open. */
  content: () => ReactNode;
}

/** The bottom of the workspace: its tabs, and what belongs to the chosen one. It folds to its tabs. */
export const Panel = ({
  tabs,
  isOpenFirst,
}: {
  tabs: readonly PanelTab[];
  isOpenFirst: boolean;
}) => {
  const [chosen, setChosen] = useState(tabs[0]?.id ?? "");
  const [isOpen, setOpen] = useState(isOpenFirst);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  const choose = (tab: string): void => {
    setChosen(tab);
    setOpen(true);
  };
  return (
    <section
      className={style.panel}
      aria-label="Terminals and processes"
      data-open={isOpen || undefined}
    >
      <div className={style.head}>
        <div
          ref={list}
          role="tablist"
          aria-label="Terminals and processes"
          className={style.tabs}
          tabIndex={-1}
          onKeyDown={(event) => {
            const next = neighbourTab(
              tabs.map((tab) => tab.id),
              chosen,
              event.key,
            );
            if (next === null) return;
            event.preventDefault();
            choose(next);
            list.current
              ?.querySelector<HTMLElement>(`[data-tab="${next}"]`)
              ?.focus();
          }}
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              data-tab={tab.id}
              className={classes(style.tab, tab === current && style.current)}
              aria-selected={tab === current}
              aria-controls={`${id}-content`}
              tabIndex={tab === current ? 0 : -1}
              onClick={() => choose(tab.id)}
            >
              {tab.name}
              {tab.count !== null && (
                <span className={style.count}>{tab.count}</span>
              )}
            </button>
          ))}
        </div>
        <IconButton
          icon="down"
          className={isOpen ? undefined : style.up}
          label={isOpen ? "Fold the panel" : "Open the panel"}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <div
        id={`${id}-content`}
        role="tabpanel"
        aria-labelledby={`${id}-${current?.id ?? ""}`}
        className={style.content}
        hidden={!isOpen}
      >
        {isOpen && current?.content()}
      </div>
    </section>
  );
};
