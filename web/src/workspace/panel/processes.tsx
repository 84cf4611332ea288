import { EmptyState } from "../../kit/empty-state.tsx";
import { ErrorState } from "../../kit/error-state.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import type { Loaded } from "../../kit/use-loaded.ts";
import { ProcessRow } from "./process-row.tsx";
import type { ProcessLine } from "./process-words.ts";
import style from "./processes.module.css";

/** What the session has running: its agent, what that started, commands and terminals. */
export const Processes = ({
  lines,
  onEnd,
}: {
  lines: Loaded<readonly ProcessLine[]>;
  onEnd: (processId: string) => Promise<void>;
}) => {
  const { value, refusal, reload } = lines;
  if (value === null)
    return refusal === null ? (
      <LoadingState label="Looking at processes" />
    ) : (
      <ErrorState title="Processes cannot be listed" retry={reload}>
        {refusal}
      </ErrorState>
    );
  if (value.length === 0)
    return (
      <EmptyState title="Nothing runs">
        What the agent, commands and terminals of this session have running is
        listed here.
      </EmptyState>
    );
  return (
    <div className={style.processes}>
      {refusal !== null && (
        <p className={style.stale} role="status">
          This list is not up to date: {refusal}
        </p>
      )}
      <ul className={style.list} aria-label="Processes">
        {value.map((line) => (
          <ProcessRow
            key={line.process.id}
            line={line}
            onEnd={async () => {
              await onEnd(line.process.id);
              reload();
            }}
          />
        ))}
      </ul>
    </div>
  );
};
