import { type ReactNode, useId, useState } from "react";
import { IconButton } from "../../kit/icon-button.tsx";
import { TabList } from "./tab-list.tsx";
import style from "./side.module.css";

type SideTab = "files" | "search" | "git";

const tabs = [
  { id: "files", name: "Files", count: null },
  { id: "search", name: "Search", count: null },
  { id: "git", name: "git", count: null },
] as const;

/** The left column of the workspace. What was typed and opened in it stays while another tab is chosen. */
export const Side = ({
  files,
  search,
  git,
  onRefresh,
  onChoose,
}: {
  files: ReactNode;
  search: ReactNode;
  git: ReactNode;
  onRefresh: () => void;
  onChoose: (tab: SideTab) => void;
}) => {
  const id = useId();
  const [chosen, setChosen] = useState<SideTab>("files");
  const [seen, setSeen] = useState<ReadonlySet<SideTab>>(new Set(["files"]));
  const parts: Record<SideTab, ReactNode> = { files, search, git };
  return (
    <section className={style.side} aria-label="Look through the workspace">
      <div className={style.head}>
        <TabList
          id={id}
          label="Look through the workspace"
          tabs={tabs}
          chosen={chosen}
          onChoose={(name) => {
            const tab = tabs.find((each) => each.id === name)?.id ?? "files";
            setChosen(tab);
            onChoose(tab);
            setSeen(new Set([...seen, tab]));
          }}
        />
        <IconButton icon="repeat" label="Look again" onClick={onRefresh} />
      </div>
      <div
        id={`${id}-content`}
        role="tabpanel"
        aria-labelledby={`${id}-${chosen}`}
        className={style.content}
      >
        {tabs
          .filter((tab) => seen.has(tab.id))
          .map((tab) => (
            <div key={tab.id} className={style.part} hidden={tab.id !== chosen}>
              {parts[tab.id]}
            </div>
          ))}
      </div>
    </section>
  );
};
