/** Looks after turns that time alone takes beyond a limit: nothing that the agent says would tell. The core decides. */
import { overdue } from "../../session/state/limits/limits.ts";
import { failureKind } from "../failures/failure-kind.ts";
import type { Clock, Log } from "../ports/home.ts";
import type { Engine, SessionShelf } from "../sessions/session-journal.ts";

const EVERY_MS = 1000;

interface Parts {
  engine: Pick<Engine, "issueIf">;
  shelf: SessionShelf;
  clock: Clock;
  log: Log;
}

export const watchLimits = ({
  engine,
  shelf,
  clock,
  log,
}: Parts): { close(): void } => {
  const look = (): void => {
    const now = clock.now().toISOString();
    for (const state of shelf.values())
      if (overdue(state, now) !== null)
        engine
          .issueIf(state.id, (after) => overdue(after, now) !== null, {
            type: "turn.hold",
          })
          .catch((error: unknown) => {
            if (failureKind(error) !== "passing")
              log.error(
                { session_id: state.id, err: error },
                "could not hold a turn to its limits",
              );
          });
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
};
