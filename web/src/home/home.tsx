import { useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { TopBar } from "../frame/top-bar.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { latePart } from "../late/late.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { Button } from "../kit/button.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { HomeDeps } from "./home-deps.ts";
import { AskRow } from "./ask-row.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { SectionHead } from "./section-head.tsx";
import {
  type Filters,
  type HomeItem,
  homeItems,
  isFiltered,
  NO_FILTERS,
} from "./sections.ts";
import { SessionRow } from "./session-row.tsx";
import { TaskRow } from "./task-row.tsx";
import { useRowKeys } from "../frame/use-row-keys.ts";
import style from "./home.module.css";

const FirstRun = latePart({
  name: "The first run",
  load: async () => (await import("../first-run/first-run.tsx")).FirstRun,
  look: "screen",
  waiting: <LoadingState />,
});

/** So many pixels above the end the next page is asked for. */
const NEAR_END = 800;

export const Home = ({ services }: { services: HomeDeps }) => {
  const { sessions, tasks, hasMore, isLoaded } = useReadable(services.sessions);
  const attention = useReadable(services.attention);
  const [filters, setFilters] = useState<Filters>(NO_FILTERS);
  const items = useMemo(
    () => homeItems(sessions, attention, tasks, filters),
    [sessions, attention, tasks, filters],
  );
  const isSearching = isFiltered(filters);
  useEffect(() => {
    // What is not read yet cannot be found.
    if (isSearching) void services.sessions.loadAll().catch(() => undefined);
  }, [isSearching, services]);

  if (isLoaded && sessions.length === 0 && tasks.length === 0)
    return <FirstRun services={services} />;
  return (
    <>
      <TopBar title="Home">
        <FilterBar
          sessions={sessions}
          filters={filters}
          onChange={setFilters}
        />
      </TopBar>
      {items.length === 0 && isSearching ? (
        <EmptyState
          title="No session is like that"
          icon="search"
          actions={
            <Button onClick={() => setFilters(NO_FILTERS)}>Show all</Button>
          }
        />
      ) : (
        <HomeList items={items} services={services} hasMore={hasMore} />
      )}
    </>
  );
};

const HomeList = ({
  items,
  services,
  hasMore,
}: {
  items: readonly HomeItem[];
  services: HomeDeps;
  hasMore: boolean;
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
        if (hasMore && left < NEAR_END)
          void services.sessions.loadMore().catch(() => undefined);
      }}
    >
      <div className={style.body}>
        <Virtualizer ref={list} scrollRef={scroller} data={items}>
          {(item) => <Item key={item.key} item={item} services={services} />}
        </Virtualizer>
      </div>
    </div>
  );
};

const Item = ({ item, services }: { item: HomeItem; services: HomeDeps }) => {
  switch (item.kind) {
    case "head":
      return <SectionHead name={item.name} count={item.count} />;
    case "ask":
      return <AskRow item={item} services={services} />;
    case "session":
      return <SessionRow item={item} services={services} />;
    case "task":
      return <TaskRow item={item} />;
  }
};
