import { useMemo } from "react";
import type { TaskEvent } from "../../../../src/contract/task/task-event.ts";
import type { Attempt } from "../../../../src/contract/task/task.ts";
import { useNow } from "../../kit/now.tsx";
import type { PageStores } from "../../start/page-stores.ts";
import { AttemptRow } from "./attempt-row.tsx";
import { AxisRow } from "./axis-row.tsx";
import { axisOf } from "./time-axis.ts";
import { spentBy, trackOf } from "./track.ts";
import style from "./attempts.module.css";

/** Every attempt as a line under one axis of time, the newest last. */
export const Attempts = ({
  attempts,
  events,
  stores,
}: {
  attempts: readonly Attempt[];
  events: readonly TaskEvent[];
  stores: Pick<PageStores, "client" | "agents">;
}) => {
  const now = useNow();
  const tracks = useMemo(
    () => attempts.map((attempt) => trackOf(attempt, events, now)),
    [attempts, events, now],
  );
  const axis = useMemo(() => axisOf(tracks), [tracks]);
  const spent = useMemo(() => spentBy(attempts, events), [attempts, events]);
  return (
    <section className={style.attempts} aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      {attempts.length === 0 ? (
        <p className={style.none}>Nobody has worked on it yet.</p>
      ) : (
        <div className={style.card}>
          <AxisRow axis={axis} />
          <ol>
            {attempts.map((attempt, i) => {
              const track = tracks[i];
              return (
                track !== undefined && (
                  <AttemptRow
                    key={attempt.id}
                    attempt={attempt}
                    track={track}
                    axis={axis}
                    spent={spent.get(attempt.id) ?? null}
                    agentName={stores.agents.name(attempt.agent)}
                    client={stores.client}
                  />
                )
              );
            })}
          </ol>
        </div>
      )}
    </section>
  );
};
