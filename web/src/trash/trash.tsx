import { TopBar } from "../frame/top-bar.tsx";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { latePart } from "../late/late.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useLoaded } from "../kit/use-loaded.ts";
import { useReadable } from "../kit/use-readable.ts";
import type { PageStores } from "../start/page-stores.ts";
import { counted, number } from "../words/counts.ts";
import { readTrash } from "./read-trash.ts";
import { TrashLine } from "./trash-line.tsx";
import { type TrashRow, trashRows } from "./trash-rows.ts";
import { usePurge } from "./use-purge.ts";
import style from "./trash.module.css";

const PurgeQuestion = latePart({
  name: "The question",
  load: async () => (await import("./purge-question.tsx")).default,
  look: "over",
});

/** What was deleted, until when it is there, and the ways out: back, or for good. */
export const Trash = ({
  stores: { client, sessions, settings },
}: {
  stores: Pick<PageStores, "client" | "sessions" | "settings">;
}) => {
  const { value, refusal, reload } = useLoaded("trash", () =>
    readTrash(client),
  );
  const told = useReadable(sessions);
  const { trash_days: days } = settings;
  const purging = usePurge(client, reload);
  const takeOut = async ({ kind, id }: TrashRow): Promise<void> => {
    try {
      if (kind === "session") sessions.put(await client.undeleteSession(id));
      else
        sessions.take({
          type: "task.changed",
          seq: 0,
          task: await client.undeleteTask(id),
        });
    } finally {
      reload();
    }
  };
  const rows =
    value !== null
      ? trashRows(value, told, days).filter(({ id }) => !purging.gone.has(id))
      : [];
  const stay = rows.filter(({ id }) => purging.failed.has(id)).length;
  return (
    <>
      <TopBar title="Trash">
        {rows.length > 0 && (
          <Button
            disabled={purging.progress !== null}
            onClick={() => purging.ask(rows, true)}
          >
            Empty the trash…
          </Button>
        )}
      </TopBar>
      <div className={style.screen}>
        {value === null && refusal === null && <LoadingState />}
        {refusal !== null && (
          <ErrorState title="The trash could not be read" retry={reload}>
            {refusal}
          </ErrorState>
        )}
        {value !== null && rows.length === 0 && (
          <EmptyState title="The trash is empty" icon="trash">
            What you delete can be taken out again for {counted(days, "day")}.
          </EmptyState>
        )}
        {rows.length > 0 && (
          <>
            <p className={style.lead}>
              Nothing in here runs. After {counted(days, "day")} it is removed
              for good, with its checkpoints and the directories that were made
              for it.
            </p>
            {purging.progress !== null && (
              <p className={style.lead} role="status">
                Deleting for good: {number(purging.progress.gone)} of{" "}
                {number(purging.progress.of)} are gone.
              </p>
            )}
            {purging.progress === null && stay > 0 && (
              <p className={style.left} role="alert">
                {number(stay)} could not be deleted for good. The reason stands
                beside {stay === 1 ? "it" : "each"}.
              </p>
            )}
            <ul className={style.rows} aria-label="In the trash">
              {rows.map((row) => (
                <TrashLine
                  key={row.id}
                  row={row}
                  failure={purging.failed.get(row.id) ?? null}
                  isLocked={purging.progress !== null}
                  onTakeOut={() => takeOut(row)}
                  onPurge={() => purging.ask([row], false)}
                />
              ))}
            </ul>
          </>
        )}
      </div>
      {purging.asking !== null && (
        <PurgeQuestion
          {...purging.asking}
          onDismiss={purging.cancel}
          onCancel={purging.cancel}
          onSure={purging.confirm}
        />
      )}
    </>
  );
};
