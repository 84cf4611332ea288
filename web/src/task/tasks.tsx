import { useState } from "react";
import { DiffReading } from "../diff/diffs.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { Drafts } from "../store/drafts.ts";
import { NewTask } from "./new-task.tsx";
import { TaskList } from "./task-list.tsx";
import { TaskScreen } from "./open/task-screen.tsx";

/** `/tasks` lists them, `/tasks/new` makes one, and every other address below is a task. */
export const Tasks = ({
  stores,
  id,
}: {
  stores: PageStores;
  id: string | undefined;
}) => {
  const [drafts] = useState(
    () =>
      new Drafts({
        shelf: stores.shelf,
        now: () => stores.scheduler.now(),
        newKey: () => crypto.randomUUID(),
      }),
  );
  if (id === undefined) return <TaskList stores={stores} />;
  if (id === "new") return <NewTask stores={stores} drafts={drafts} />;
  return (
    <DiffReading>
      <TaskScreen key={id} id={id} stores={stores} drafts={drafts} />
    </DiffReading>
  );
};
