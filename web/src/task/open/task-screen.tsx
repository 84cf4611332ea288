import { type ReactNode, useEffect, useState } from "react";
import { refusalWords } from "../../words/refusal-words.ts";
import { TopBar } from "../../frame/top-bar.tsx";
import { ButtonLink } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { ErrorState } from "../../kit/error-state.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import { useReadable } from "../../kit/use-readable.ts";
import type { PageStores } from "../../start/page-stores.ts";
import type { Drafts } from "../../store/drafts.ts";
import { Attempts } from "../attempt/attempts.tsx";
import { AddContext } from "./add-context.tsx";
import { OpenTask, type OpenTaskView } from "./open-task.ts";
import { actionsOf } from "./task-actions.ts";
import { TaskButtons } from "./task-buttons.tsx";
import { TaskFacts } from "./task-facts.tsx";
import { TaskHead } from "./task-head.tsx";
import { TaskNotes } from "./task-notes.tsx";
import { TaskText } from "./task-text.tsx";
import style from "./task-screen.module.css";

/** One task: what is asked for, how it stands, and every attempt. */
export const TaskScreen = ({
  id,
  stores,
  drafts,
}: {
  id: string;
  stores: PageStores;
  drafts: Drafts;
}) => {
  const [open] = useState(
    () => new OpenTask(stores.client, stores.sessions, id),
  );
  useEffect(() => open.open(), [open]);
  const view = useReadable(open);
  switch (view.kind) {
    case "opening":
      return (
        <Nothing>
          <LoadingState label="Reading the task" />
        </Nothing>
      );
    case "missing":
      return (
        <Nothing>
          <EmptyState
            title="There is no such task"
            icon="tasks"
            actions={<ButtonLink href="/tasks">All tasks</ButtonLink>}
          >
            It may have been removed from the trash.
          </EmptyState>
        </Nothing>
      );
    case "failed":
      return (
        <Nothing>
          <ErrorState
            title="The task cannot be shown"
            retry={() => void open.read()}
          >
            {refusalWords(view.error)}
          </ErrorState>
        </Nothing>
      );
    case "open":
      return (
        <Opened
          view={view}
          stores={stores}
          drafts={drafts}
          onDone={() => open.read()}
        />
      );
  }
};

const Nothing = ({ children }: { children: ReactNode }) => (
  <>
    <TopBar title="Task" />
    {children}
  </>
);

const Opened = ({
  view: { task, attempts, events },
  stores,
  drafts,
  onDone,
}: {
  view: Extract<OpenTaskView, { kind: "open" }>;
  stores: PageStores;
  drafts: Drafts;
  onDone: () => Promise<void>;
}) => {
  const { client, agents } = stores;
  const { context } = actionsOf(task);
  return (
    <div className={style.screen}>
      <TaskHead task={task} agents={agents} />
      <div className={style.body}>
        <TaskButtons task={task} client={client} onDone={onDone} />
        <TaskNotes task={task} stores={stores} />
        <div className={style.asked}>
          <TaskText task={task} />
          <TaskFacts task={task} client={client} onDone={onDone} />
        </div>
        <Attempts attempts={attempts} events={events} stores={stores} />
        {context !== null && (
          <AddContext
            task={task}
            context={context}
            client={client}
            drafts={drafts}
            onDone={onDone}
          />
        )}
      </div>
    </div>
  );
};
