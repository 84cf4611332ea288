import { type ReactNode, useId, useState } from "react";
import { IconButton } from "../../kit/icon-button.tsx";
import { type ListedTab, TabList } from "../side/tab-list.tsx";
import style from "./panel.module.css";

export interface PanelTab extends ListedTab {
  /** Drawn while its tab is chosen and the panel is open. */
  content: ReactNode;
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
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  return (
    <section
      className={style.panel}
      aria-label="Terminals and processes"
      data-open={isOpen || undefined}
    >
      <div className={style.head}>
        <TabList
          id={id}
          label="Terminals and processes"
          tabs={tabs}
          chosen={isOpen ? (current?.id ?? null) : null}
          onChoose={(tab) => {
            setChosen(tab);
            setOpen(true);
          }}
        />
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
        {isOpen && current?.content}
      </div>
    </section>
  );
};
