import { useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { refusalWords } from "../words/refusal-words.ts";
import { TopBar } from "../frame/top-bar.tsx";
import { useRowKeys } from "../frame/use-row-keys.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { SearchField } from "../frame/search-field.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { RaceLinks } from "../race/race-links.tsx";
import { taskPath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { type TaskItem, taskItems } from "./list-items.ts";
import { ListedTask } from "./listed-task.tsx";
import { TaskPages } from "./task-pages.ts";
import style from "./task-list.module.css";

/** So many pixels above the end the next page is asked for. */
const NEAR_END = 800;

/** All tasks by where they stand. */
export const TaskList = ({ stores }: { stores: PageStores }) => {
  const pages = useTaskPages(stores);
  const { tasks, isLoaded, hasMore, failure } = useReadable(pages);
  const [query, setQuery] = useState("");
  const items = useMemo(() => taskItems(tasks, query), [tasks, query]);
  const isSearching = query.trim() !== "";
  useEffect(() => {
    // What is not read yet cannot be found.
    if (isSearching) void pages.loadAll();
  }, [isSearching, pages]);
  return (
    <>
      <TopBar title="Tasks">
        <SearchField label="Search tasks" query={query} onChange={setQuery} />
        <ButtonLink href={taskPath("new")} kind="primary" icon="plus">
          New task
        </ButtonLink>
      </TopBar>
      <RaceLinks stores={stores} />
      {items.length > 0 ? (
        <Items
          items={items}
          stores={stores}
          onNearEnd={() => {
            if (hasMore) void pages.load();
          }}
        />
      ) : failure !== null ? (
        <ErrorState
          title="The tasks cannot be shown"
          retry={() => void pages.load()}
        >
          {refusalWords(failure)}
        </ErrorState>
      ) : !isLoaded ? (
        <LoadingState label="Reading tasks" />
      ) : isSearching ? (
        <EmptyState
          title="No task is like that"
          icon="search"
          actions={<Button onClick={() => setQuery("")}>Show all</Button>}
        />
      ) : (
        <EmptyState
          title="No tasks yet"
          icon="tasks"
          actions={<ButtonLink href={taskPath("new")}>New task</ButtonLink>}
        >
          A task is a piece of work that is continued instead of started over:
          an attempt that is killed or not good enough is followed by the next
          one.
        </EmptyState>
      )}
    </>
  );
};

const Items = ({
  items,
  stores,
  onNearEnd,
}: {
  items: readonly TaskItem[];
  stores: PageStores;
  onNearEnd: () => void;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  useRowKeys(items, scroller, list);
  return (
    <div
      ref={scroller}
      className={style.scroller}
      onScroll={({ currentTarget: box }) => {
        const left = box.scrollHeight - box.scrollTop - box.clientHeight;
        if (left < NEAR_END) onNearEnd();
      }}
    >
      <div className={style.body}>
        <Virtualizer ref={list} scrollRef={scroller} data={items}>
          {(item) =>
            item.kind === "head" ? (
              <div key={item.key} className={style.head}>
                <h2>{item.name}</h2>
                <span className={style.count}>{item.count}</span>
              </div>
            ) : (
              <ListedTask key={item.key} item={item} stores={stores} />
            )
          }
        </Virtualizer>
      </div>
    </div>
  );
};

const useTaskPages = ({ client, sessions }: PageStores): TaskPages => {
  const [pages] = useState(() => new TaskPages(client, sessions));
  useEffect(() => {
    const end = pages.open();
    void pages.load();
    return end;
  }, [pages]);
  return pages;
};
