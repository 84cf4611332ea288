import { keepRun } from "../../../src/client/race.ts";
import { DiffReading } from "../diff/diffs.tsx";
import { refusalWords } from "../words/refusal-words.ts";
import { TopBar } from "../frame/top-bar.tsx";
import { ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { PageStores } from "../start/page-stores.ts";
import { useAction } from "../task/use-action.ts";
import { RunColumn } from "./run-column.tsx";
import { isCutOff, keepRefusal } from "./runs.ts";
import { useRace } from "./use-race.ts";
import style from "./race.module.css";

/** The runs of a race side by side. */
export const RaceScreen = ({
  stores,
  name,
}: {
  stores: PageStores;
  name: string;
}) => {
  const { view, read } = useRace(stores, name);
  const { byId } = useReadable(stores.sessions);
  const { isBusy, failure, run } = useAction();
  return (
    <>
      <TopBar title={`Race ${name}`}>
        <ButtonLink kind="plain" href="/tasks">
          All tasks
        </ButtonLink>
      </TopBar>
      {view.kind === "opening" && <LoadingState label="Reading the race" />}
      {view.kind === "missing" && (
        <EmptyState title="There is no such race" icon="tasks">
          <code>reprise race</code> begins one.
        </EmptyState>
      )}
      {view.kind === "failed" && (
        <ErrorState title="The race cannot be shown" retry={read}>
          {refusalWords(view.error)}
        </ErrorState>
      )}
      {view.kind === "open" && (
        <DiffReading>
          {failure !== null && (
            <p className={style.failure} role="alert">
              {failure}
            </p>
          )}
          <div className={style.columns}>
            {view.race.runs.map(({ number, agent, session_id }) => (
              <RunColumn
                key={number}
                number={number}
                agentName={stores.agents.name(agent)}
                session={
                  session_id === null ? null : (byId.get(session_id) ?? null)
                }
                isStarted={session_id !== null}
                isKept={view.race.kept === number}
                isCutOff={isCutOff(view.race, number)}
                refusal={keepRefusal(view.race, number, (id) => byId.get(id))}
                isBusy={isBusy}
                client={stores.client}
                onKeep={() =>
                  run(`keep ${number}`, async () => {
                    try {
                      await keepRun(stores.client, view.race, number);
                    } finally {
                      read();
                    }
                  })
                }
              />
            ))}
          </div>
        </DiffReading>
      )}
    </>
  );
};
