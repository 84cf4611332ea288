import { Link } from "wouter";
import { Age } from "../kit/age.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useLoaded } from "../kit/use-loaded.ts";
import { useReadable } from "../kit/use-readable.ts";
import { sessionPath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { bytes, counted } from "../words/counts.ts";
import { sessionName } from "../words/session-name.ts";
import { executorWords, readRunning, type Running } from "./running.ts";
import style from "./agents.module.css";

export const RunningList = ({
  stores: { client, sessions },
}: {
  stores: Pick<PageStores, "client" | "sessions">;
}) => {
  const {
    value: running,
    refusal,
    reload,
  } = useLoaded("running", () => readRunning(client));
  const { byId } = useReadable(sessions);
  const nameOf = ({ executor: { session_id: id } }: Running): string =>
    sessionName(byId.get(id) ?? { id, name: null, last_words: null });
  return (
    <section aria-labelledby="agents-running">
      <h2 id="agents-running" className={style.head}>
        Executors
      </h2>
      {running === null && refusal === null && (
        <LoadingState label="Looking what runs" />
      )}
      {refusal !== null && (
        <ErrorState title="What runs could not be read" retry={reload}>
          {refusal}
        </ErrorState>
      )}
      {running?.length === 0 && (
        <p className={style.none}>
          Nothing runs. A prompt brings an agent back.
        </p>
      )}
      {running !== null && running.length > 0 && (
        <>
          <div
            className={style.scroll}
            tabIndex={0}
            role="group"
            aria-labelledby="agents-running"
          >
            <table className={style.table}>
              <thead>
                <tr>
                  <th scope="col">Session</th>
                  <th scope="col">State</th>
                  <th scope="col">Where</th>
                  <th scope="col">Process</th>
                  <th scope="col">Memory</th>
                  <th scope="col">Disk</th>
                  <th scope="col">Last seen</th>
                </tr>
              </thead>
              <tbody>
                {running.map((each) => (
                  <tr key={each.executor.id}>
                    <th scope="row">
                      <Link href={sessionPath(each.executor.session_id)}>
                        {nameOf(each)}
                      </Link>
                    </th>
                    <td title={each.executor.error_message ?? undefined}>
                      {executorWords[each.executor.status]}
                    </td>
                    <td>{each.executor.runtime}</td>
                    <td>{each.executor.pid ?? "none"}</td>
                    <td>{memoryWords(each)}</td>
                    <td>{sizeWords(each.diskBytes)}</td>
                    <td>
                      <Age at={each.executor.last_seen_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className={style.none}>
            Memory is that of an agent and of all that it, its terminals and
            commands have started. Disk is what the checkpoints of its session
            take; sessions share what is the same in them.
          </p>
        </>
      )}
    </section>
  );
};

const sizeWords = (size: number | null): string =>
  size === null ? "unknown" : bytes(size);

const memoryWords = ({ memoryBytes, processes }: Running): string =>
  memoryBytes === null || processes === null
    ? "unknown"
    : `${bytes(memoryBytes)} in ${counted(processes, "process", "processes")}`;
