/** Looks after turns that time alone takes beyond a limit: nothing that the agent says would tell. The core decides. */
import type { SessionId } from "../../contract/base/id.ts";
import { overdue } from "../../session/state/limits/limits.ts";
import type { State } from "../../session/state/state.ts";
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
  /** The order was given at this event: another one at the same event would come to the same. */
  const ordered = new Map<SessionId, number>();
  const hold = async ({ id, seq }: State, now: string): Promise<void> => {
    ordered.set(id, seq);
    try {
      await engine.issueIf(id, (after) => overdue(after, now) !== null, {
        type: "turn.hold",
      });
    } catch (error) {
      if (failureKind(error) === "passing") ordered.delete(id);
      else
        log.error(
          { session_id: id, err: error },
          "could not hold a turn to its limits",
        );
    }
  };
  const look = (): void => {
    const now = clock.now().toISOString();
    const due = [...shelf.values()].filter(
      (state) => overdue(state, now) !== null,
    );
    const ids = new Set(due.map(({ id }) => id));
    for (const id of ordered.keys()) if (!ids.has(id)) ordered.delete(id);
    for (const state of due)
      if (ordered.get(state.id) !== state.seq) void hold(state, now);
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
};
